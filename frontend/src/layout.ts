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

const SPACING = 1;
const GAP = 4;
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
  const rows: number[][] = [];
  for (const state of tree.order) (rows[tree.layers[state]!] ??= []).push(state);
  const x = new Float64Array(crawl.states.length);
  const y = new Float64Array(crawl.states.length);
  let radius = 0;
  const height = Math.max(...rows.map((row) => row.length)) * SPACING * SLACK;
  rows.forEach((row, layer) => {
    row.sort((one, two) => wanted[one]! - wanted[two]!);
    if (shape === "columns") {
      const places = spread(row.map((state) => wanted[state]! * height), SPACING, height);
      row.forEach((state, at) => {
        x[state] = layer * Math.max(GAP, (1.5 * height) / rows.length);
        y[state] = -places[at]!;
      });
      return;
    }
    const needed = (row.length * SPACING * SLACK) / (2 * Math.PI);
    radius = layer === 0 && row.length === 1 ? 0 : Math.max(radius + GAP, needed);
    const round = 2 * Math.PI;
    const places = spread(row.map((state) => wanted[state]! * round), round / (row.length * SLACK), round);
    row.forEach((state, at) => {
      x[state] = radius * Math.cos(places[at]!);
      y[state] = radius * Math.sin(places[at]!);
    });
  });
  return { layers: tree.layers, hubs: tree.hubs, x, y };
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
  for (const transition of crawl.transitions) {
    if (!crawl.isMenu(transition) || crawl.starts.includes(transition.target)) continue;
    hubs.add(transition.target);
  }
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
