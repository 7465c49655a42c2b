// Keeps the crawl that is shown up to date: once for a finished one, again and again for a live one.

import { useEffect, useRef, useState } from "preact/hooks";
import { Crawl } from "./crawl";
import type { Progress } from "./documents";
import type { Source } from "./source";

const LOOK_EVERY_MS = 1000;

export interface Followed {
  crawl: Crawl | null;
  progress: Progress | null;
  error: string;
  retry(): void;
}

export function useCrawl(source: Source): Followed {
  const [crawl, setCrawl] = useState<Crawl | null>(null);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [error, setError] = useState("");
  const [tries, setTries] = useState(0);
  const version = useRef(0);
  const seen = useRef("");

  useEffect(() => {
    let isOver = false;
    let timer = 0;
    const look = async () => {
      try {
        const now = source.live ? await source.live.progress() : null;
        const mark = now ? `${now.seconds} ${now.stop_reason} ${now.is_running}` : "done";
        if (mark !== seen.current || !version.current || now?.is_running) {
          const newer = await source.crawl(version.current);
          if (isOver) return;
          if (newer) {
            version.current = newer[0];
            setCrawl(new Crawl(newer[1]));
          }
          seen.current = mark;
        }
        setProgress((before) => (JSON.stringify(before) === JSON.stringify(now) ? before : now));
        setError("");
        if (source.live) timer = window.setTimeout(look, LOOK_EVERY_MS);
      } catch (problem) {
        if (isOver) return;
        setError(String((problem as Error).message));
        timer = window.setTimeout(look, 3 * LOOK_EVERY_MS);
      }
    };
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [source, tries]);
  return { crawl, progress, error, retry: () => setTries(tries + 1) };
}

/** Something that is asked for when it is needed: undefined while it is under way. */
export function useAsked<Thing>(ask: () => Promise<Thing>, ...about: unknown[]): Thing | Error | undefined {
  const [answer, setAnswer] = useState<{ about: string; is: Thing | Error }>();
  const key = JSON.stringify(about);
  useEffect(() => {
    let isOver = false;
    ask().then(
      (is) => isOver || setAnswer({ about: key, is }),
      (problem) => isOver || setAnswer({ about: key, is: problem as Error }),
    );
    return () => {
      isOver = true;
    };
  }, [key]);
  return answer?.about === key ? answer.is : undefined;
}
