// Which states and transitions are shown, and in which colours: all of it is in the address.

import { type Crawl, isLoop, type State, type Transition } from "../crawl";
import type { Shape } from "../layout";
import type { Merged, Merging } from "../merging";

export type Colouring = "distance" | "url" | "work";

export interface Selection {
  text: string;
  url: string;
  hiddenKinds: Set<string>;
  withMenus: boolean;
  only: "" | "unexplored" | "nondeterministic" | "findings";
  loops: boolean;
  shape: Shape;
  colouring: Colouring;
  /** What near-duplicates have become; null: every state is there. */
  merged: Merged | null;
}

/** A picture with more states than this is drawn in rings, not in columns. */
const MOST_IN_COLUMNS = 60;

export function readSelection(parameters: URLSearchParams, crawl: Crawl, merging?: Merging | Error): Selection {
  const few = crawl.states.length <= MOST_IN_COLUMNS;
  const only = parameters.get("only") ?? "";
  const colouring = parameters.get("colour") ?? "";
  const near = parameters.get("near") ?? "";
  return {
    text: parameters.get("q") ?? "",
    url: parameters.get("url") ?? "",
    hiddenKinds: new Set((parameters.get("without") ?? "").split(",").filter(Boolean)),
    withMenus: (parameters.get("menus") ?? (few ? "1" : "0")) === "1",
    only: only === "unexplored" || only === "nondeterministic" || only === "findings" ? only : "",
    loops: parameters.get("loops") === "1",
    shape: (parameters.get("shape") ?? (few ? "columns" : "rings")) === "columns" ? "columns" : "rings",
    colouring: colouring === "url" || colouring === "work" ? colouring : "distance",
    merged: near && merging && !(merging instanceof Error) ? merging.at(Number(near)) : null,
  };
}

/** Tell whether a state is there, and not merged with another one or lost with it. */
export function isThere({ merged }: Selection, state: number): boolean {
  return merged === null || merged[state] === state;
}

/** Tell whether a state is one of those looked for. */
export function showsState(crawl: Crawl, selection: Selection, state: State): boolean {
  if (!isThere(selection, state.number)) return false;
  if (selection.url && state.url !== selection.url) return false;
  if (selection.only === "unexplored" && !crawl.unexplored(state)) return false;
  if (selection.only === "nondeterministic" && !crawl.isDoubtful(state)) return false;
  if (selection.only === "findings" && !crawl.findings(state).length) return false;
  if (selection.loops && !crawl.leaving[state.number]!.some(isLoop)) return false;
  return matches(crawl, state, selection.text);
}

/** Tell whether every word is in the state's id, title, URL or on one of its controls. */
export function matches(crawl: Crawl, state: State, text: string): boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return true;
  const said = `${state.id} ${state.title} ${state.url}`.toLowerCase();
  return words.every(
    (word) =>
      said.includes(word) ||
      state.looks.some((look) => crawl.looks[look]!.label.toLowerCase().includes(word)),
  );
}

export function showsTransition(crawl: Crawl, selection: Selection, transition: Transition): boolean {
  if (selection.hiddenKinds.has(crawl.looks[transition.look]!.kind)) return false;
  if (selection.only === "nondeterministic" && !transition.outcomes) return false;
  return selection.withMenus || !crawl.isMenu(transition);
}
