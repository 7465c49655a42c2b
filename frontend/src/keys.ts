// Keys that work everywhere.

import { useLayoutEffect } from "preact/hooks";
import type { Crawl } from "./crawl";
import { addressOf, go, type Place } from "./router";

export const KEYS: [key: string, meaning: string][] = [
  ["/", "search states"],
  ["g", "graph"],
  ["s", "states"],
  ["f", "findings"],
  ["c", "calls"],
  ["i", "figures"],
  ["j  k", "next, previous state"],
  ["r", "replay the state that is open"],
  ["+  −  0", "in the graph: nearer, farther, all of it"],
  ["← ↑ ↓ →", "in the graph: move"],
  ["?", "this help"],
];

const VIEWS: Record<string, string> = { g: "graph", s: "states", f: "findings", c: "calls", i: "figures" };

export function useKeys(place: Place, crawl: Crawl | null, onSearch: () => void, onHelp: () => void): void {
  // Before anything is painted, so that no key meets what was there before.
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const at = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || at.closest("input, select, textarea, .stage, .stage-keys")) return;
      const view = VIEWS[event.key];
      if (event.key === "/") onSearch();
      else if (event.key === "?") onHelp();
      else if (view) go(addressOf(view));
      else if (!atState(event.key, place, crawl)) return;
      event.preventDefault();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  });
}

function atState(key: string, place: Place, crawl: Crawl | null): boolean {
  const state = place.view === "state" ? crawl?.state(place.arguments[0] ?? "") : null;
  if (!crawl || !state) return false;
  if (key === "r") {
    go(addressOf("replay", state.id));
    return true;
  }
  const step = key === "j" ? 1 : key === "k" ? -1 : 0;
  const next = crawl.states[state.number + step];
  if (!step || !next) return false;
  go(addressOf("state", next.id));
  return true;
}
