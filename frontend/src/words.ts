// Events and figures in words that a person can follow.

import type { Crawl, Look, State } from "./crawl";
import type { Path } from "./documents";

const DOING: Record<string, (what: string, value: string) => string> = {
  click: (what) => `Click ${what}`,
  dblclick: (what) => `Double-click ${what}`,
  hover: (what) => `Move the pointer over ${what}`,
  contextmenu: (what) => `Click ${what} with the right button`,
  key: (what, value) => `Press ${value || "a key"} at ${what}`,
  input: (what, value) => (value ? `Type “${value}” into ${what}` : `Clear ${what}`),
  change: (what, value) => `Choose “${value}” in ${what}`,
  submit: (what) => `Send the form ${what}`,
  scroll: (what) => `Scroll ${what}`,
  timeout: (_, value) => `Wait ${value || "for the page to change by itself"}`,
  back: () => "Go back",
};

const LONGEST = 80;

export function shortened(text: string, most = LONGEST): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** What stands on a control, or else what it is. */
export function nameOf(look: Look): string {
  return shortened(look.label.trim() || look.identity || "an event");
}

/** What a person does to make an event happen. */
export function doing(look: Look): string {
  const what = look.label.trim() ? `“${shortened(look.label.trim())}”` : shortened(look.locator || look.identity);
  if (look.identity.startsWith("load ")) return `Open ${shortened(look.identity.slice(5))}`;
  if (look.fillings.length) return `Fill in ${what} (${shortened(filled(look), 160)}) and send it`;
  return (DOING[look.kind] ?? ((what) => `${look.kind} ${what}`))(what, shortened(look.value, 40));
}

/** What is put into the fields of a form. */
function filled({ fillings }: Look): string {
  return fillings.map(([label, value]) => (value ? `${shortened(label, 30) || "a field"}: “${shortened(value, 30)}”` : shortened(label, 30) || "a box")).join(", ");
}

export function titleOf(state: State): string {
  const title = state.title || "Untitled";
  return shortened(state.after ? `${shortened(state.after, 40)} · ${title}` : title);
}

export interface PathStep {
  words: string;
  source: State | null;
  target: State | null;
  look: Look | null;
}

/** The way to a state, step by step. */
export function stepsOf(crawl: Crawl, path: Path): PathStep[] {
  let at = crawl.state(path.state);
  const steps: PathStep[] = [
    { words: `Open ${shortened(path.entry, 200)}`, source: null, target: at, look: null },
  ];
  for (const [event, leadsTo] of path.steps) {
    const look = crawl.look(at, event);
    const target = crawl.state(leadsTo);
    steps.push({ words: doing(look), source: at, target, look });
    at = target;
  }
  return steps;
}

const figures = new Intl.NumberFormat("en");
const short = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

export function number(value: number): string {
  return Number.isInteger(value) ? figures.format(value) : short.format(value);
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}

export function duration(seconds: number): string {
  if (seconds < 60) return `${short.format(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
