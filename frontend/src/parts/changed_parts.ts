// Where two pictures differ: boxes in parts of their width and height.

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

const CELL = 16;
const NOTICEABLE = 40;

export async function changedParts(one: string, two: string): Promise<Box[]> {
  const [before, after] = await Promise.all([pixels(one), pixels(two)]);
  const width = Math.min(before.width, after.width);
  const height = Math.min(before.height, after.height);
  const columns = Math.ceil(width / CELL);
  const rows = Math.ceil(height / CELL);
  const differs = new Uint8Array(columns * rows);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [at, other] = [(y * before.width + x) * 4, (y * after.width + x) * 4];
      const by =
        Math.abs(before.data[at]! - after.data[other]!) +
        Math.abs(before.data[at + 1]! - after.data[other + 1]!) +
        Math.abs(before.data[at + 2]! - after.data[other + 2]!);
      if (by > NOTICEABLE * 3) differs[Math.floor(y / CELL) * columns + Math.floor(x / CELL)] = 1;
    }
  }
  return boxes(differs, columns, rows).map((box) => ({
    left: (box.left * CELL) / width,
    top: (box.top * CELL) / height,
    width: (box.width * CELL) / width,
    height: (box.height * CELL) / height,
  }));
}

async function pixels(address: string): Promise<ImageData> {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
  const context = canvas.getContext("2d")!;
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

/** The frames of cells that touch each other, or nearly so. */
function boxes(differs: Uint8Array, columns: number, rows: number): Box[] {
  const found: Box[] = [];
  for (let start = 0; start < differs.length; start++) {
    if (!differs[start]) continue;
    let [left, right, top, bottom] = [columns, 0, rows, 0];
    const waiting = [start];
    differs[start] = 0;
    while (waiting.length) {
      const cell = waiting.pop()!;
      const [x, y] = [cell % columns, Math.floor(cell / columns)];
      [left, right] = [Math.min(left, x), Math.max(right, x)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
      for (let ny = Math.max(0, y - 2); ny <= Math.min(rows - 1, y + 2); ny++) {
        for (let nx = Math.max(0, x - 2); nx <= Math.min(columns - 1, x + 2); nx++) {
          const next = ny * columns + nx;
          if (differs[next]) {
            differs[next] = 0;
            waiting.push(next);
          }
        }
      }
    }
    found.push({ left, top, width: right - left + 1, height: bottom - top + 1 });
  }
  return found;
}
