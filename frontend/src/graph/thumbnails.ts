// Small pictures for the drawing, asked for when they come into sight.

const MOST_AT_ONCE = 6;
const MOST_KEPT = 1500;

export class Thumbnails {
  private readonly images = new Map<string, HTMLImageElement | null>();
  private readonly waiting: string[] = [];
  private underWay = 0;

  constructor(
    private readonly find: (id: string) => Promise<string>,
    private readonly onArrival: () => void,
  ) {}

  /** The picture of a state if it is here; if not, it will be. */
  get(id: string): HTMLImageElement | null {
    const image = this.images.get(id);
    if (image !== undefined) return image?.complete && image.naturalWidth ? image : null;
    if (this.images.size > MOST_KEPT) this.images.delete(this.images.keys().next().value!);
    this.images.set(id, null);
    this.waiting.push(id);
    this.next();
    return null;
  }

  private next(): void {
    while (this.underWay < MOST_AT_ONCE && this.waiting.length) {
      this.underWay++;
      void this.load(this.waiting.pop()!).finally(() => {
        this.underWay--;
        this.next();
      });
    }
  }

  private async load(id: string): Promise<void> {
    try {
      const image = new Image();
      image.src = await this.find(id);
      await image.decode();
      this.images.set(id, image);
      this.onArrival();
    } catch {
      // a state without a picture is a point
    }
  }
}
