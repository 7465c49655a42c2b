import { useState } from "preact/hooks";
import type { Crawl } from "../crawl";
import type { Progress } from "../documents";
import { addressOf } from "../router";
import type { Live } from "../source";
import { duration, plural, titleOf } from "../words";

function nameOf(crawl: Crawl | null, id: string): string {
  const state = crawl?.state(id);
  return state ? titleOf(state) : id.slice(0, 8);
}

/** How a running crawl is doing, and what to tell it. */
export function LiveBar({ live, progress, crawl }: { live: Live; progress: Progress; crawl: Crawl | null }) {
  const [asked, setAsked] = useState<Progress["wish"] | null>(null);
  const wish = asked ?? progress.wish;
  const ask = (wanted: Progress["wish"]) => {
    setAsked(wanted);
    void live.ask(wanted).finally(() => setTimeout(() => setAsked(null), 1500));
  };
  const word = wish === "pause" ? "Paused" : wish === "stop" ? "Stopping" : "Crawling";
  return (
    <section class="live" aria-label="The running crawl">
      <span class={`dot ${wish}`} aria-hidden="true" />
      <strong>{word}</strong>
      <span class="muted">
        {crawl && `${plural(crawl.states.length, "state")}, `}
        {plural(progress.events, "event")}, {plural(progress.resets, "reset")}, {duration(progress.seconds)}
      </span>
      <span class="tabs">
        {progress.tabs.map((id, number) => (
          <span class="muted">
            tab {number + 1}: {id ? <a href={addressOf("state", id)}>{nameOf(crawl, id)}</a> : "blank"}
          </span>
        ))}
      </span>
      <span class="buttons">
        {wish === "pause" ? (
          <button type="button" onClick={() => ask("run")}>Resume</button>
        ) : (
          <button type="button" disabled={wish === "stop"} onClick={() => ask("pause")}>Pause</button>
        )}
        <button type="button" disabled={wish === "stop"} onClick={() => ask("stop")}>Stop</button>
      </span>
    </section>
  );
}
