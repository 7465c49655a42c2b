// What is drawn over the points and lines: pictures of states that are near, and names.

import type Sigma from "sigma";
import { isLoop } from "../crawl";
import { nameOf, shortened } from "../words";
import type { Scene } from "./drawing";
import { isThere } from "./selection";
import { Thumbnails } from "./thumbnails";

/** Neighbours stand at least one unit apart; with so many pixels to the unit there is room. */
const ROOM_FOR_PICTURES = 44;
const ROOM_FOR_NAMES = 22;
const MOST_PICTURES = 250;
const MOST_LINE_NAMES = 80;
const WIDEST = 230;

interface Dot {
  state: number;
  x: number;
  y: number;
}

export class Overlay {
  scene: Scene | null = null;
  selected: number | null = null;
  tabs: number[] = [];
  private pointed: number | null = null;
  private written: Box[] = [];
  private readonly thumbnails: Thumbnails;
  private readonly context: CanvasRenderingContext2D;

  constructor(private readonly sigma: Sigma, thumbnail: (id: string) => Promise<string>) {
    this.thumbnails = new Thumbnails(thumbnail, () => this.draw());
    sigma.createCanvasContext("overlay", { style: { pointerEvents: "none" } });
    const { overlay } = sigma.getCanvases();
    this.context = overlay!.getContext("2d")!;
    sigma.resize(true);
    sigma.on("afterRender", () => this.draw());
  }

  point(state: number | null): void {
    this.pointed = state;
    this.draw();
  }

  close(): void {
    this.scene = null;
  }

  draw(): void {
    const { scene, context } = this;
    if (!scene || !scene.crawl.states.length) return;
    const { width, height } = this.sigma.getDimensions();
    context.clearRect(0, 0, width, height);
    this.written = [];
    const room = this.pixelsPerUnit();
    const focus = this.pointed ?? this.selected;
    const ink = inks();
    const near = room >= ROOM_FOR_NAMES ? this.inSight(width, height) : [];
    if (focus !== null) {
      this.drawLinesOf(focus, ink);
      this.drawName(this.dot(focus), room, ink);
    }
    if (room >= ROOM_FOR_PICTURES && near.length <= MOST_PICTURES) this.drawPictures(near, room, ink);
    if (near.length <= MOST_PICTURES) for (const dot of near) this.drawName(dot, room, ink);
    for (const tab of this.tabs) this.drawRing(tab, ink.accent, 9, true);
    if (focus !== null) this.drawRing(focus, ink.strong, 5, false);
  }

  private pixelsPerUnit(): number {
    const one = this.sigma.graphToViewport({ x: 0, y: 0 });
    const two = this.sigma.graphToViewport({ x: 1, y: 0 });
    return Math.hypot(two.x - one.x, two.y - one.y);
  }

  private dot(state: number): Dot {
    const { layout } = this.scene!;
    return { state, ...this.sigma.graphToViewport({ x: layout.x[state]!, y: layout.y[state]! }) };
  }

  private inSight(width: number, height: number): Dot[] {
    const found: Dot[] = [];
    for (const state of this.scene!.crawl.states) {
      if (!isThere(this.scene!.selection, state.number)) continue;
      const dot = this.dot(state.number);
      if (dot.x > -100 && dot.y > -100 && dot.x < width + 100 && dot.y < height + 100) found.push(dot);
      if (found.length > MOST_PICTURES) break;
    }
    return found;
  }

  private pictureWidth(room: number): number {
    return Math.min(WIDEST, room);
  }

  private drawPictures(near: Dot[], room: number, ink: Inks): void {
    const { context } = this;
    const { crawl, colours } = this.scene!;
    const width = this.pictureWidth(room);
    const height = (width * 5) / 8;
    for (const { state, x, y } of near) {
      const known = crawl.states[state]!;
      const image = known.hasPicture ? this.thumbnails.get(known.id) : null;
      if (!image) continue;
      context.save();
      context.beginPath();
      context.roundRect(x - width / 2, y - height / 2, width, height, 4);
      context.fillStyle = ink.paper;
      context.fill();
      context.clip();
      context.drawImage(image, x - width / 2, y - height / 2, width, (width * image.height) / image.width);
      context.restore();
      context.lineWidth = 2;
      context.strokeStyle = colours.of(known);
      context.stroke();
    }
  }

  private drawName({ state, x, y }: Dot, room: number, ink: Inks): void {
    const { crawl } = this.scene!;
    const known = crawl.states[state]!;
    const hasImage = known.hasPicture && room >= ROOM_FOR_PICTURES && this.thumbnails.get(known.id);
    const below = hasImage ? (this.pictureWidth(room) * 5) / 16 + 12 : 16;
    const loops = crawl.leaving[state]!.filter(isLoop).length;
    const title = shortened(known.after || known.title || known.id.slice(0, 8), 24);
    this.write(loops && room > 90 ? `${title} ⟲${loops}` : title, x, y + below, ink.text, ink.paper);
  }

  /** Write a text, unless another one is there already. */
  private write(text: string, x: number, y: number, colour: string, around: string, size = 11): void {
    const { context } = this;
    context.font = `500 ${size}px system-ui, sans-serif`;
    const half = context.measureText(text).width / 2;
    const box: Box = [x - half, y - size / 2, x + half, y + size / 2];
    if (this.written.some((other) => overlap(box, other))) return;
    this.written.push(box);
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineWidth = 3;
    context.lineJoin = "round";
    context.strokeStyle = around;
    context.strokeText(text, x, y);
    context.fillStyle = colour;
    context.fillText(text, x, y);
  }

  private drawRing(state: number, colour: string, radius: number, isDashed: boolean): void {
    const { context } = this;
    const { x, y } = this.dot(state);
    const size = this.sigma.getNodeDisplayData(String(state))?.size ?? 4;
    context.save();
    context.setLineDash(isDashed ? [4, 3] : []);
    context.beginPath();
    context.arc(x, y, this.sigma.scaleSize(size) + radius, 0, 2 * Math.PI);
    context.lineWidth = 2.5;
    context.strokeStyle = colour;
    context.stroke();
    context.restore();
  }

  /** Draw every line of one state, with the names of the events. */
  private drawLinesOf(state: number, ink: Inks): void {
    const { linesOf, crawl } = this.scene!;
    let written = 0;
    for (const { from, to, events } of linesOf[state]!) {
      const middle = this.drawCurve(from, to, from === state ? ink.accent : ink.muted);
      if (!middle || written++ > MOST_LINE_NAMES) continue;
      const [first] = events;
      const more = events.length > 1 ? ` +${events.length - 1}` : "";
      const name = `${shortened(nameOf(crawl.looks[first!.look]!), 22)}${more}`;
      this.write(name, middle.x, middle.y, from === state ? ink.accent : ink.muted, ink.paper, 10);
    }
  }

  /** Draw a bent arrow; return where its middle is when there is room for a name. */
  private drawCurve(from: number, to: number, colour: string): { x: number; y: number } | null {
    const { context } = this;
    const one = this.dot(from);
    const two = this.dot(to);
    const dx = two.x - one.x;
    const dy = two.y - one.y;
    const length = Math.hypot(dx, dy);
    if (length < 1) return null;
    const bend = 0.12;
    const x = (one.x + two.x) / 2 - dy * bend;
    const y = (one.y + two.y) / 2 + dx * bend;
    context.beginPath();
    context.moveTo(one.x, one.y);
    context.quadraticCurveTo(x, y, two.x, two.y);
    context.lineWidth = 1.6;
    context.strokeStyle = colour;
    context.stroke();
    const angle = Math.atan2(two.y - y, two.x - x);
    const tip = { x: two.x - 7 * Math.cos(angle), y: two.y - 7 * Math.sin(angle) };
    context.beginPath();
    context.moveTo(tip.x, tip.y);
    context.lineTo(tip.x - 8 * Math.cos(angle - 0.4), tip.y - 8 * Math.sin(angle - 0.4));
    context.lineTo(tip.x - 8 * Math.cos(angle + 0.4), tip.y - 8 * Math.sin(angle + 0.4));
    context.fillStyle = colour;
    context.fill();
    return length > 70 ? { x: (one.x + two.x + 2 * x) / 4, y: (one.y + two.y + 2 * y) / 4 } : null;
  }
}

type Box = [left: number, top: number, right: number, bottom: number];

function overlap(one: Box, two: Box): boolean {
  return one[0] < two[2] && two[0] < one[2] && one[1] < two[3] && two[1] < one[3];
}

interface Inks {
  text: string;
  muted: string;
  strong: string;
  accent: string;
  paper: string;
}

function inks(): Inks {
  const style = getComputedStyle(document.documentElement);
  const ink = (name: string) => style.getPropertyValue(name).trim();
  return { text: ink("--text"), muted: ink("--muted"), strong: ink("--text"), accent: ink("--accent"), paper: ink("--paper") };
}

