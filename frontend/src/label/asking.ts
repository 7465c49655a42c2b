// What the annotation page is told, and how it asks; `calibration/annotation.py` writes it.

export type Answer = "clone" | "near-duplicate" | "distinct";

export interface LabelledPage {
  state: string;
  url: string;
  title: string;
  has_picture: boolean;
  text: string;
}

export interface Pair {
  pages: [LabelledPage, LabelledPage];
  distance: number;
  answer: Answer | null;
  basis: "told" | "sure" | "likely" | null;
  by: string;
}

export interface Said {
  one: string;
  other: string;
  answer: Answer;
  by: string;
  at: number;
}

export interface Desk {
  name: string;
  me: string;
  states: number;
  pairs: number;
  known: number;
  told: number;
  rest: boolean;
  distinct_in_a_row: number;
  pair: Pair | null;
  said: Said[];
  can_undo: boolean;
}

export function nextPair(passed: [string, string][]): Promise<Desk> {
  const query = new URLSearchParams(passed.map(([one, other]) => ["passed", `${one}~${other}`]));
  return ask(`api/pair?${query}`);
}

export function onePair(one: string, other: string): Promise<Desk> {
  return ask(`api/pair?${new URLSearchParams({ one, other })}`);
}

export function answer(one: string, other: string, said: Answer, by: string): Promise<Desk> {
  return ask("api/answer", { one, other, answer: said, by });
}

export function undo(by: string): Promise<Desk> {
  return ask("api/undo", { by });
}

export function restIsDistinct(by: string): Promise<Desk> {
  return ask("api/rest", { by });
}

async function ask(path: string, body?: object): Promise<Desk> {
  let told: Response;
  try {
    told = await fetch(path, body ? { method: "POST", body: JSON.stringify(body) } : {});
  } catch {
    throw new Error("statecrawl label does not answer: is it still running?");
  }
  if (!told.ok) throw new Error((await told.text()) || `The server answers ${told.status}`);
  return told.json();
}
