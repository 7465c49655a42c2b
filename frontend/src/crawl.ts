// The crawl as the views read it: states, transitions, and what can be said about them.

import type { CrawlDocument, Finding } from "./documents";

export interface Look {
  number: number;
  identity: string;
  kind: string;
  label: string;
  locator: string;
  url: string;
  value: string;
  fillings: [label: string, value: string][];
}

export interface State {
  number: number;
  id: string;
  url: string;
  title: string;
  /** What was done to come here first, where the title does not tell states apart. */
  after: string;
  found: [events: number, resets: number, seconds: number];
  looks: number[];
  regions: number[];
  hasPicture: boolean;
}

export interface Transition {
  number: number;
  source: number;
  look: number;
  target: number;
  outcomes: [state: number, times: number][] | null;
  isAssumed: boolean;
}

export type Fate =
  | { kind: "led"; transition: Transition }
  | { kind: "refused"; reason: string }
  | { kind: "given up" }
  | { kind: "unexplored" };

/** An event is of a menu when nearly everywhere it leads to the same state. */
const MENU_SHARE = 0.25;
const MENU_LEAST = 8;
const MENU_AGREEMENT = 0.9;

export class Crawl {
  readonly states: State[];
  readonly looks: Look[];
  readonly transitions: Transition[] = [];
  readonly leaving: Transition[][];
  readonly arriving: Transition[][];
  /** Where the crawl started; other documents that were loaded are reached from there, too. */
  readonly starts: number[];
  private readonly byId = new Map<string, number>();
  private readonly fates = new Map<number, Fate>();
  private readonly findingsOf = new Map<string, Finding[]>();
  private menu: Uint8Array | null = null;

  constructor(readonly document: CrawlDocument) {
    this.looks = document.looks.map(([identity, kind, label, locator, url, value, fillings], number) => ({
      number, identity, kind, label, locator, url, value, fillings,
    }));
    this.states = document.states.map(([id, url, title, , found, looks, regions, picture], number) => {
      this.byId.set(id, number);
      return { number, id, url, title: title.trim(), after: "", found, looks, regions, hasPicture: picture === 1 };
    });
    for (const [was, is] of document.aliases) {
      const number = this.byId.get(is);
      if (number !== undefined && !this.byId.has(was)) this.byId.set(was, number);
    }
    this.leaving = this.states.map(() => []);
    this.arriving = this.states.map(() => []);
    const { loads, summary } = document;
    const start = loads.find(([url]) => url === summary.url) ?? loads[0];
    this.starts = start ? [start[1]] : [];
    this.readTransitions();
    this.tellApart();
    for (const [state, look, reason] of document.refused) {
      this.setFate(state, look, { kind: "refused", reason });
    }
    for (const [state, look] of document.given_up) this.setFate(state, look, { kind: "given up" });
    for (const finding of document.findings) {
      const known = this.findingsOf.get(finding.state);
      if (known) known.push(finding);
      else this.findingsOf.set(finding.state, [finding]);
    }
  }

  private readTransitions(): void {
    const { transitions: ends, outcomes, assumed } = this.document;
    const led = new Map(outcomes);
    const taken = new Set(assumed);
    for (let at = 0, number = 0; at < ends.length; at += 3, number++) {
      const source = ends[at]!;
      const transition: Transition = {
        number,
        source,
        look: ends[at + 1]!,
        target: ends[at + 2]!,
        outcomes: led.get(number) ?? null,
        isAssumed: taken.has(number),
      };
      this.transitions.push(transition);
      this.leaving[source]!.push(transition);
      for (const [target] of targetsOf(transition)) this.arriving[target]!.push(transition);
      this.fates.set(this.key(source, transition.look), { kind: "led", transition });
    }
  }

  private tellApart(): void {
    const titles = new Map<string, number>();
    for (const { title } of this.states) titles.set(title, (titles.get(title) ?? 0) + 1);
    for (const state of this.states) {
      if (titles.get(state.title) === 1 || this.starts.includes(state.number)) continue;
      const first = this.arriving[state.number]!.find(({ source }) => source !== state.number);
      if (first) state.after = this.looks[first.look]!.label.trim();
    }
  }

  private key(state: number, look: number): number {
    return state * this.looks.length + look;
  }

  private setFate(state: number, look: number, fate: Fate): void {
    const key = this.key(state, look);
    if (!this.fates.has(key)) this.fates.set(key, fate);
  }

  /** The state with this id, or one that it has become. */
  state(id: string): State | null {
    const number = this.byId.get(id);
    return number === undefined ? null : this.states[number]!;
  }

  /** What came of an event in a state. */
  fate(state: State, look: number): Fate {
    return this.fates.get(this.key(state.number, look)) ?? { kind: "unexplored" };
  }

  unexplored(state: State): number {
    let count = 0;
    for (const look of state.looks) if (!this.fates.has(this.key(state.number, look))) count++;
    return count;
  }

  isDoubtful(state: State): boolean {
    return this.leaving[state.number]!.some((transition) => transition.outcomes !== null);
  }

  findings(state: State): Finding[] {
    return this.findingsOf.get(state.id) ?? [];
  }

  /** How an event of a state looks, by its identity. */
  look(state: State | null, identity: string): Look {
    const number = state?.looks.find((look) => this.looks[look]!.identity === identity);
    if (number !== undefined) return this.looks[number]!;
    return { number: -1, identity, kind: "", label: "", locator: "", url: "", value: "", fillings: [] };
  }

  get kinds(): Map<string, number> {
    const counted = new Map<string, number>();
    for (const { look } of this.transitions) {
      const { kind } = this.looks[look]!;
      counted.set(kind, (counted.get(kind) ?? 0) + 1);
    }
    return counted;
  }

  /** Tell whether a transition is by an event that nearly everywhere leads to the same state. */
  isMenu(transition: Transition): boolean {
    this.menu ??= this.findMenus();
    return this.menu[transition.look] === 1;
  }

  /** For each look, 1 if its event is of a menu. */
  private findMenus(): Uint8Array {
    const events = new Map<string, number>();
    const eventOf = this.looks.map(({ identity }) => {
      const event = events.get(identity) ?? events.size;
      events.set(identity, event);
      return event;
    });
    const times = new Uint32Array(events.size);
    for (const { look } of this.transitions) times[eventOf[look]!]!++;
    const least = Math.max(MENU_LEAST, MENU_SHARE * this.states.length);
    const led = new Map<number, Map<number, number>>();
    for (const { look, target } of this.transitions) {
      const event = eventOf[look]!;
      if (times[event]! < least) continue;
      const targets = led.get(event) ?? new Map<number, number>();
      led.set(event, targets.set(target, (targets.get(target) ?? 0) + 1));
    }
    const agrees = (event: number) =>
      Math.max(0, ...(led.get(event)?.values() ?? [])) >= MENU_AGREEMENT * times[event]!;
    const menus = new Set([...led.keys()].filter(agrees));
    return Uint8Array.from(eventOf, (event) => Number(menus.has(event)));
  }

  /** The other states of its near-duplicate class. */
  alike({ number }: State): State[] {
    const { classes } = this.document;
    return this.states.filter((other) => other.number !== number && classes[other.number] === classes[number]);
  }
}

/** Every state that a transition led to, and how often. */
export function targetsOf(transition: Transition): [state: number, times: number][] {
  return transition.outcomes ?? [[transition.target, 1]];
}

export function isLoop(transition: Transition): boolean {
  return transition.source === transition.target && !transition.outcomes;
}
