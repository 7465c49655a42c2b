// Where states stand in the picture: in layers by their distance from the start.
//
// Menus would make every state a neighbour of every other: their events don't count for the
// distance, and the states that they lead to, the hubs, stand in a layer of their own.

import { type Crawl, targetsOf } from "./crawl";

export interface Layout {
  /** How far each state is from the start; hubs are in the first layer. */
  layers: Int32Array;
  hubs: Set<number>;
  x: Float64Array;
  y: Float64Array;
}

export type Shape = "rings" | "columns";

/** The least distance between two states, and between two layers. */
const SPACING = 1;
const GAP = 3;
/** How much more room than that there is on average. */
const SLACK = 1.4;

interface Tree {
  order: number[];
  parent: Int32Array;
  layers: Int32Array;
  hubs: Set<number>;
}

export function layOut(crawl: Crawl, shape: Shape): Layout {
  const tree = grow(crawl);
  const wanted = slots(tree);
  const layers: number[][] = [];
  for (const state of tree.order) (layers[tree.layers[state]!] ??= []).push(state);
  for (const layer of layers) layer.sort((one, two) => wanted[one]! - wanted[two]!);
  const x = new Float64Array(crawl.states.length);
  const y = new Float64Array(crawl.states.length);
  const place = shape === "rings" ? inRings : inColumns;
  place(layers, wanted, (state, left, up) => {
    x[state] = left;
    y[state] = up;
  });
  return { layers: tree.layers, hubs: tree.hubs, x, y };
}

type Put = (state: number, x: number, y: number) => void;

/** Put each layer around those before; a large one takes several rings. */
function inRings(layers: number[][], wanted: Float64Array, put: Put): void {
  const round = 2 * Math.PI;
  let inner = 0;
  layers.forEach((layer, number) => {
    const isMiddle = number === 0 && layer.length === 1;
    let rings = 1;
    for (let room = 0; !isMiddle; rings++) {
      room += (round * (inner + rings * SPACING)) / (SPACING * SLACK);
      if (room >= layer.length) break;
    }
    for (let ring = 0; ring < rings; ring++) {
      const radius = isMiddle ? 0 : inner + ring * SPACING;
      const states = layer.filter((_, at) => at % rings === ring);
      const apart = radius ? Math.min(SPACING / radius, round / states.length) : 0;
      const angles = spread(states.map((state) => wanted[state]! * round), apart, round);
      states.forEach((state, at) => put(state, radius * Math.cos(angles[at]!), radius * Math.sin(angles[at]!)));
    }
    // Far out, long chains of few states would make all the rest small.
    inner += rings * SPACING + GAP * Math.min(1, layer.length / (2 * number + 1));
  });
}

/** Put each layer to the right of those before; a large one takes several columns. */
function inColumns(layers: number[][], wanted: Float64Array, put: Put): void {
  const most = Math.max(...layers.map((layer) => layer.length));
  const all = layers.reduce((sum, layer) => sum + layer.length, 0);
  const height = Math.min(most, Math.max(24, 1.5 * Math.sqrt(all))) * SPACING * SLACK;
  const gap = Math.max(GAP, height / layers.length);
  let left = 0;
  for (const layer of layers) {
    const columns = Math.ceil((layer.length * SPACING) / height);
    for (let column = 0; column < columns; column++) {
      const states = layer.filter((_, at) => at % columns === column);
      const places = spread(states.map((state) => wanted[state]! * height), SPACING, height);
      states.forEach((state, at) => put(state, left + column * SPACING, -places[at]!));
    }
    left += (columns - 1) * SPACING + gap * 1.4;
  }
}

/** Find the shortest ways from the start, without menus first. */
function grow(crawl: Crawl): Tree {
  const count = crawl.states.length;
  const parent = new Int32Array(count).fill(-1);
  const layers = new Int32Array(count).fill(-1);
  const order: number[] = [];
  const hubs = new Set<number>();
  const reach = (state: number, from: number, layer: number) => {
    if (layers[state] !== -1) return;
    layers[state] = layer;
    parent[state] = from;
    order.push(state);
  };
  for (const start of crawl.starts) reach(start, -1, 0);
  for (const transition of crawl.transitions) if (crawl.isMenu(transition)) hubs.add(transition.target);
  for (const start of crawl.starts) hubs.delete(start);
  const walk = (from: number, withMenus: boolean) => {
    for (let at = from; at < order.length; at++) {
      const source = order[at]!;
      if (source === crawl.starts[0]) for (const hub of hubs) reach(hub, source, 1);
      for (const transition of crawl.leaving[source]!) {
        if (!withMenus && crawl.isMenu(transition)) continue;
        for (const [target] of targetsOf(transition)) reach(target, source, layers[source]! + 1);
      }
    }
  };
  walk(0, false);
  if (order.length < count) walk(0, true);
  for (let state = 0; state < count; state++) {
    reach(state, -1, 1);
    walk(order.length - 1, true);
  }
  return { order, parent, layers, hubs };
}

/** Give each state the middle of a stretch of 0 to 1 that is as wide as what hangs on it. */
function slots({ order, parent }: Tree): Float64Array {
  const size = new Float64Array(parent.length);
  const begin = new Float64Array(parent.length);
  const next = new Float64Array(parent.length);
  for (let at = order.length - 1; at >= 0; at--) {
    const state = order[at]!;
    size[state] = Math.max(1, size[state]!);
    const above = parent[state]!;
    if (above >= 0) size[above]! += size[state]!;
  }
  let roots = 0;
  const all = order.reduce((sum, state) => sum + (parent[state]! < 0 ? size[state]! : 0), 0);
  for (const state of order) {
    const above = parent[state]!;
    if (above < 0) {
      begin[state] = roots;
      roots += size[state]!;
    } else {
      begin[state] = begin[above]! + next[above]!;
      next[above]! += size[state]!;
    }
  }
  return begin.map((from, state) => (from + size[state]! / 2) / Math.max(1, all));
}

/** Move places, which are in order, apart until neighbours are this far from each other. */
function spread(wanted: number[], apart: number, whole: number): number[] {
  const places = [...wanted];
  for (let at = 1; at < places.length; at++) {
    places[at] = Math.max(places[at]!, places[at - 1]! + apart);
  }
  const last = places.length - 1;
  if (last > 0) places[last] = Math.min(places[last]!, Math.max(whole, places[0]! + apart * last));
  for (let at = last - 1; at >= 0; at--) {
    places[at] = Math.min(places[at]!, places[at + 1]! - apart);
  }
  return places;
}
