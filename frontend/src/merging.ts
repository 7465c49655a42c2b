// The graph as a crawl with another threshold would have found it, from a table of what changes where.

import { useMemo } from "preact/hooks";
import type { Crawl } from "./crawl";
import type { MergingDocument } from "./documents";
import { useAsked } from "./following";
import type { Source } from "./source";

/** For each state the one that stands for it; -1: nothing leads to it any more. */
export type Merged = Int32Array;

export class Merging {
  private readonly numbers: number[];

  constructor(readonly document: MergingDocument, private readonly crawl: Crawl) {
    this.numbers = document.states.map((id) => crawl.state(id)?.number ?? -1);
  }

  /** How many states there are at a threshold. */
  count(threshold: number): number {
    const last = this.document.steps.findLast(([from]) => from <= threshold);
    return last ? last[1] : this.crawl.states.length;
  }

  at(threshold: number): Merged {
    const merged = Int32Array.from(this.crawl.states, ({ number }) => number);
    for (const [from, , changes] of this.document.steps) {
      if (from > threshold) break;
      for (let at = 0; at < changes.length; at += 2) {
        const state = this.numbers[changes[at]!]!;
        const stands = changes[at + 1]!;
        if (state >= 0) merged[state] = stands < 0 ? -1 : this.numbers[stands]!;
      }
    }
    return merged;
  }
}

/** The table, as soon as somebody wants it and it is there. */
export function useMerging(source: Source, crawl: Crawl, isWanted: boolean): Merging | Error | undefined {
  const told = useAsked(async () => (isWanted ? source.merging() : undefined), isWanted, crawl.states.length);
  return useMemo(() => (!told || told instanceof Error ? told : new Merging(told, crawl)), [told, crawl]);
}
