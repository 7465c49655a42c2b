// Colours of states in the picture; the same in the light and in the dark.

import type { Crawl, State } from "../crawl";
import type { Layout } from "../layout";
import type { Colouring } from "./selection";

export const START = "#e5484d";
const HUB = "#f5a623";
const BY_DISTANCE = ["#12a594", "#0a8fd6", "#3e63dd", "#6e56cf", "#ab4aba", "#d6409f", "#8e8c99"];
const BY_URL = [
  "#3e63dd", "#12a594", "#d6409f", "#f5a623", "#6e56cf", "#30a46c", "#e5484d", "#0a8fd6", "#ab4aba",
];
const OTHER_URLS = "#8e8c99";
const WORK = { findings: "#e5484d", unexplored: "#f5a623", doubtful: "#d6409f", done: "#7c8bb5" };

export interface Colours {
  of(state: State): string;
  legend: [colour: string, meaning: string][];
}

export function coloursFor(crawl: Crawl, layout: Layout, colouring: Colouring): Colours {
  if (colouring === "url") return byUrl(crawl);
  if (colouring === "work") return byWork(crawl);
  return byDistance(crawl, layout);
}

function byDistance(crawl: Crawl, layout: Layout): Colours {
  const starts = new Set(crawl.starts);
  const last = BY_DISTANCE.length;
  const farthest = layout.layers.reduce((most, layer) => Math.max(most, layer), 0);
  const legend: [string, string][] = [[START, "start"]];
  if (layout.hubs.size) legend.push([HUB, "menu"]);
  for (let layer = 1; layer <= Math.min(farthest, last); layer++) {
    const far = layer === last && farthest > last ? `${layer} and more` : `${layer}`;
    legend.push([BY_DISTANCE[layer - 1]!, layer === 1 ? "1 event away" : far]);
  }
  return {
    of({ number }) {
      if (starts.has(number)) return START;
      if (layout.hubs.has(number)) return HUB;
      return BY_DISTANCE[Math.min(Math.max(layout.layers[number]!, 1), last) - 1]!;
    },
    legend,
  };
}

function byUrl(crawl: Crawl): Colours {
  const counts = new Map<string, number>();
  for (const { url } of crawl.states) counts.set(url, (counts.get(url) ?? 0) + 1);
  const most = [...counts].sort((one, two) => two[1] - one[1]).slice(0, BY_URL.length);
  const colours = new Map(most.map(([url], at) => [url, BY_URL[at]!]));
  const legend: [string, string][] = [...colours].map(([url, colour]) => [colour, url || "no URL"]);
  if (counts.size > colours.size) legend.push([OTHER_URLS, "other URLs"]);
  return { of: ({ url }) => colours.get(url) ?? OTHER_URLS, legend };
}

function byWork(crawl: Crawl): Colours {
  return {
    of(state) {
      if (crawl.findings(state).length) return WORK.findings;
      if (crawl.unexplored(state)) return WORK.unexplored;
      return crawl.isDoubtful(state) ? WORK.doubtful : WORK.done;
    },
    legend: [
      [WORK.findings, "has findings"],
      [WORK.unexplored, "events unexplored"],
      [WORK.doubtful, "nondeterministic"],
      [WORK.done, "explored"],
    ],
  };
}
