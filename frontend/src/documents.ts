// What the page is told; `src/statecrawl/web/documents.py` writes it.

/** An event as it looks in some states; fillings are what a form gets before it is sent. */
export type LookRow = [
  identity: string,
  kind: string,
  label: string,
  locator: string,
  url: string,
  value: string,
  fillings: [label: string, value: string][],
];

export type StateRow = [
  id: string,
  url: string,
  title: string,
  depth: number,
  found: [events: number, resets: number, seconds: number],
  looks: number[],
  regions: number[],
  hasPicture: 0 | 1,
];

export interface Doubt {
  state: string;
  event: string;
  outcomes: Record<string, number>;
  why: string;
  evidence: string;
}

export interface Summary {
  url: string;
  strategy: string;
  equivalence: string;
  stop_reason: string;
  states: number;
  classes: number;
  transitions: number;
  urls: number;
  events: number;
  resets: number;
  events_to_all_states: number;
  resets_to_all_states: number;
  reset_cost: number;
  cost: number;
  cost_to_all_states: number;
  requests: number;
  requests_cached: number;
  seconds: number;
  events_per_second: number;
  time: Record<string, number>;
  probe_events: number;
  probe_resets: number;
  assumed: number;
  nondeterministic: Doubt[];
  failures: Record<string, number>;
  findings: Record<string, number>;
  warnings: string[];
}

export interface Finding {
  kind: string;
  text: string;
  where: string;
  source: string;
  event: string;
  state: string;
  path: string[];
  test: string;
}

export interface Request {
  key: string;
  method: string;
  url: string;
  hot_nodes: string[];
  times: number;
  times_cached: number;
}

export interface Calls {
  nodes: string[];
  hot_nodes: string[];
  edges: [caller: string, callee: string, times: number][];
  requests: Request[];
}

export interface CrawlDocument {
  summary: Summary;
  has_before: boolean;
  settings: [name: string, value: unknown][];
  states: StateRow[];
  /** For each state the one that stands for its near-duplicates. */
  classes: number[];
  /** Source, look, target; source, look, target; ... */
  transitions: number[];
  outcomes: [transition: number, led: [state: number, times: number][]][];
  assumed: number[];
  refused: [state: number, look: number, reason: string][];
  given_up: [state: number, look: number][];
  loads: [url: string, state: number][];
  findings: Finding[];
  calls: Calls;
  masks: [path: string, part: string, reason: string][];
  left_alone: [label: string, kind: string, locator: string, reason: string][];
  aliases: [was: string, is: string][];
  looks: LookRow[];
}

/** Which states become one as the threshold rises. */
export interface MergingDocument {
  equivalence: string;
  events: string;
  least: number;
  usual: number;
  farthest: number;
  states: string[];
  /** A change is a state and the one that stands for it, -1 if nothing leads to it any more. */
  steps: [threshold: number, states: number, changes: number[]][];
}

export interface Path {
  entry: string;
  state: string;
  steps: [event: string, leadsTo: string][];
}

export interface StateDocument {
  id: string;
  dom: string;
  text: string;
  path: Path | null;
  /** For each event of the state, what it changed. */
  changes: [target: string, action: string][][];
}

export interface Progress {
  events: number;
  resets: number;
  seconds: number;
  stop_reason: string;
  tabs: string[];
  is_running: boolean;
  wish: "run" | "pause" | "stop";
}

/** A place in a text, in characters: from where to where. */
export type Mark = [start: number, end: number];

/** One result of a search; `src/statecrawl/search/searching.py` makes it. */
export interface FoundState {
  url: string;
  state: string;
  score: number;
  title: string;
  snippet: string;
  marks: Mark[];
  elements: string[];
  entry: string;
  path: string[];
  labels: string[];
  alike: number;
}

export interface Found {
  total: number;
  words: string[];
  results: FoundState[];
}

export interface ComparedState {
  state: string;
  url: string;
  title: string;
  path: string[];
}

export interface ComparedTransition {
  source: string;
  event: string;
  label: string;
  targets: string[];
}

export interface Detail {
  what: string;
  where: string;
  was: string;
  now: string;
}

interface ComparedCrawl {
  crawl: string;
  url: string;
  states: number;
  transitions: number;
  stop_reason: string;
}

/** What `statecrawl diff --json` prints; `core/comparison.py` makes it. */
export interface Comparison {
  a: ComparedCrawl;
  b: ComparedCrawl;
  same: { states: number; transitions: number };
  states: {
    appeared: ComparedState[];
    vanished: ComparedState[];
    changed: { was: ComparedState; now: ComparedState; matched_by: string; differences: Detail[] }[];
  };
  transitions: {
    appeared: ComparedTransition[];
    vanished: ComparedTransition[];
    changed: { was: ComparedTransition; now: ComparedTransition }[];
  };
  not_compared: number;
  warnings: string[];
  /** The older states that there are pictures of. */
  pictures: string[];
}
