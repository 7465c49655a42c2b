// The picture of the state graph: sigma draws the points and lines, the overlay what is near.

import Graph from "graphology";
import Sigma from "sigma";
import { EdgeArrowProgram, EdgeLineProgram, NodePointProgram } from "sigma/rendering";
import { type Crawl, targetsOf, type Transition } from "../crawl";
import type { Layout } from "../layout";
import { isDark } from "../parts/theme";
import type { Colours } from "./colours";
import { Overlay } from "./overlay";
import { isThere, type Selection, showsState, showsTransition } from "./selection";

/** With more lines than this arrows are too much to draw, and to see. */
const MOST_ARROWS = 3000;
/** With more lines than this they are left out while the picture moves. */
const MOST_MOVING = 1500;
const SMALLEST = 2.2;
const LARGEST = 9;

/** The transitions that are shown between two states. */
export interface Line {
  from: number;
  to: number;
  events: Transition[];
}

export interface Scene {
  crawl: Crawl;
  layout: Layout;
  selection: Selection;
  colours: Colours;
  lines: Line[];
  /** Those that begin or end at each state. */
  linesOf: Line[][];
}

export function setScene(crawl: Crawl, layout: Layout, selection: Selection, colours: Colours): Scene {
  const pairs = new Map<number, Line>();
  const shown = crawl.states.map((state) => showsState(crawl, selection, state));
  for (const transition of crawl.transitions) {
    if (!isThere(selection, transition.source) || !showsTransition(crawl, selection, transition)) continue;
    for (const [led] of targetsOf(transition)) {
      const target = selection.merged?.[led] ?? led;
      if (target < 0) continue;
      const { source } = transition;
      if (target === source || !(shown[target] || shown[source])) continue;
      const key = source * crawl.states.length + target;
      const known = pairs.get(key);
      if (known) known.events.push(transition);
      else pairs.set(key, { from: source, to: target, events: [transition] });
    }
  }
  const lines = [...pairs.values()];
  const linesOf: Line[][] = crawl.states.map(() => []);
  for (const line of lines) {
    linesOf[line.from]!.push(line);
    linesOf[line.to]!.push(line);
  }
  return { crawl, layout, selection, colours, lines, linesOf };
}

export interface Hands {
  onState(state: number | null): void;
  onOpen(state: number): void;
  /** The browser took away what the picture is drawn with. */
  onLost(): void;
}

export class Drawing {
  private readonly sigma: Sigma;
  private readonly overlay: Overlay;
  private readonly closing = new AbortController();

  constructor(container: HTMLElement, thumbnail: (id: string) => Promise<string>, hands: Hands) {
    this.sigma = new Sigma(new Graph(), container, {
      allowInvalidContainer: true,
      renderLabels: false,
      hideLabelsOnMove: true,
      defaultDrawNodeHover: () => {},
      // Points, not discs: without a graphics card frames with discs took about 8 times as long.
      nodeProgramClasses: { circle: NodePointProgram },
      edgeProgramClasses: { line: EdgeLineProgram, arrow: EdgeArrowProgram },
      minCameraRatio: 0.004,
      maxCameraRatio: 3,
      stagePadding: 60,
      minEdgeThickness: 1.2,
      inertiaDuration: 150,
    });
    this.overlay = new Overlay(this.sigma, thumbnail);
    const { signal } = this.closing;
    container.addEventListener("webglcontextlost", () => hands.onLost(), { capture: true, signal });
    this.sigma.on("enterNode", ({ node }) => {
      container.style.cursor = "pointer";
      this.overlay.point(Number(node));
    });
    this.sigma.on("leaveNode", () => {
      container.style.cursor = "";
      this.overlay.point(null);
    });
    this.sigma.on("clickNode", ({ node }) => hands.onState(Number(node)));
    this.sigma.on("doubleClickNode", (event) => {
      event.preventSigmaDefault();
      hands.onOpen(Number(event.node));
    });
    this.sigma.on("clickStage", () => hands.onState(null));
  }

  show(scene: Scene): void {
    const { crawl, layout, selection, colours, lines } = scene;
    const graph = new Graph({ type: "directed", multi: false, allowSelfLoops: false });
    const faint = getComputedStyle(document.documentElement).getPropertyValue("--node-faint").trim();
    const line = lineColour(lines.length);
    for (const state of crawl.states) {
      if (!isThere(selection, state.number)) continue;
      const isShown = showsState(crawl, selection, state);
      const degree = crawl.arriving[state.number]!.length;
      const size = Math.min(LARGEST, SMALLEST + Math.log2(1 + degree) * sizeFactor(crawl.states.length));
      graph.addNode(String(state.number), {
        x: layout.x[state.number],
        y: layout.y[state.number],
        size: crawl.starts.includes(state.number) ? size + 3 : size,
        color: isShown ? colours.of(state) : faint,
      });
    }
    const type = lines.length > MOST_ARROWS ? "line" : "arrow";
    for (const { from, to } of lines) {
      graph.addDirectedEdge(String(from), String(to), { size: 1, color: line, type });
    }
    this.sigma.setSetting("hideEdgesOnMove", lines.length > MOST_MOVING);
    this.overlay.scene = scene;
    this.sigma.setCustomBBox(extent(layout));
    this.sigma.setGraph(graph);
  }

  /** Mark a state, and bring it into sight if it is not. */
  select(state: number | null): void {
    this.overlay.selected = state;
    this.overlay.draw();
  }

  /** Move so that a state is in the middle. */
  visit(state: number): void {
    const at = this.sigma.getNodeDisplayData(String(state));
    if (at) void this.sigma.getCamera().animate({ x: at.x, y: at.y, ratio: Math.min(this.sigma.getCamera().ratio, 0.25) }, { duration: 350 });
  }

  markTabs(states: number[]): void {
    this.overlay.tabs = states;
    this.overlay.draw();
  }

  zoom(factor: number): void {
    const camera = this.sigma.getCamera();
    void camera.animate({ ratio: camera.ratio * factor }, { duration: 150 });
  }

  pan(x: number, y: number): void {
    const camera = this.sigma.getCamera();
    camera.setState({ x: camera.x + x * camera.ratio, y: camera.y + y * camera.ratio });
  }

  fit(): void {
    void this.sigma.getCamera().animatedReset({ duration: 250 });
  }

  close(): void {
    this.closing.abort();
    this.overlay.close();
    this.sigma.kill();
  }
}

/** Where the picture ends; it does so also when not all states are there. */
function extent({ x, y }: Layout): { x: [number, number]; y: [number, number] } {
  const of = (places: Float64Array): [number, number] => [
    places.reduce((least, each) => Math.min(least, each), 0),
    places.reduce((most, each) => Math.max(most, each), 0),
  ];
  return { x: of(x), y: of(y) };
}

function sizeFactor(states: number): number {
  return states > 1000 ? 0.35 : states > 200 ? 0.7 : 1.2;
}

/** The more lines there are, the nearer to the paper's is their colour. */
function lineColour(lines: number): string {
  const [paper, ink] = isDark() ? [[18, 20, 29], [140, 150, 190]] : [[255, 255, 255], [110, 120, 160]];
  const strength = lines > 20000 ? 0.12 : lines > 3000 ? 0.25 : 0.7;
  const mixed = paper!.map((part, at) => Math.round(part + (ink![at]! - part) * strength));
  return `rgb(${mixed.join(",")})`;
}
