import { useEffect, useRef, useState } from "preact/hooks";
import type { Crawl } from "../crawl";
import type { Merging } from "../merging";
import { addressOf, type Place, setParameters } from "../router";
import { number, plural } from "../words";

const WIDTH = 200;
const HEIGHT = 90;

interface Props {
  place: Place;
  crawl: Crawl;
  merging: Merging | Error | undefined;
  onOpen(): void;
}

/** A slider over thresholds: the graph becomes what a crawl with that one would have found. */
export function Threshold({ place, crawl, merging, onOpen }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const toggled = (isNow: boolean) => {
    setIsOpen(isNow);
    if (isNow) onOpen();
  };
  return (
    <details class="threshold" open={isOpen || place.parameters.has("near")} onToggle={(event) => toggled(event.currentTarget.open)}>
      <summary>Near-duplicates</summary>
      {!merging && <p class="muted" role="status">Comparing {plural(crawl.states.length, "state")}…</p>}
      {merging instanceof Error && <p class="bad">{merging.message}</p>}
      {merging && !(merging instanceof Error) && <Slider place={place} crawl={crawl} merging={merging} />}
    </details>
  );
}

function Slider({ place, crawl, merging }: { place: Place; crawl: Crawl; merging: Merging }) {
  const { least, usual, farthest, equivalence } = merging.document;
  const size = farthest > 1 ? 1 : farthest / 100;
  const chosen = place.parameters.get("near");
  const at = chosen ? Number(chosen) : least;
  const left = chosen ? merging.count(at) : crawl.states.length;
  const here = useRef(place);
  here.current = place;
  const set = useSoon((near: string) => setParameters(here.current, { near }));
  return (
    <>
      <Curve merging={merging} crawl={crawl} at={chosen ? at : null} />
      <input
        type="range"
        aria-label="Threshold"
        aria-valuetext={`${number(at)}: ${plural(left, "state")}`}
        min={least}
        max={farthest}
        step={size}
        value={at}
        onInput={(event) => set(String(Math.round(event.currentTarget.valueAsNumber * 1000) / 1000))}
      />
      <p role="status">
        {chosen ? <><strong>{at.toLocaleString("en")}</strong>: {plural(left, "state")} of {number(crawl.states.length)}</> : "Every state that was found."}
      </p>
      <p class="actions">
        {chosen !== String(usual) && <button type="button" onClick={() => setParameters(place, { near: String(usual) })}>Usual: {usual.toLocaleString("en")}</button>}
        {chosen && <button type="button" onClick={() => setParameters(place, { near: "" })}>All states</button>}
        {chosen && <a class="button" href={`${addressOf("states")}?near=${encodeURIComponent(chosen)}`}>List</a>}
      </p>
      <p class="muted">Pages at most so far apart ({equivalence}) are one state, as a crawl would have it.</p>
    </>
  );
}

/** Do the last of what was asked for, once a frame. */
function useSoon<Thing>(act: (thing: Thing) => void): (thing: Thing) => void {
  const asked = useRef(0);
  useEffect(() => () => cancelAnimationFrame(asked.current), []);
  return (thing) => {
    cancelAnimationFrame(asked.current);
    asked.current = requestAnimationFrame(() => act(thing));
  };
}

/** How many states there are at every threshold. */
function Curve({ merging, crawl, at }: { merging: Merging; crawl: Crawl; at: number | null }) {
  const { least, farthest, steps } = merging.document;
  const x = (threshold: number) => (WIDTH * (threshold - least)) / Math.max(1e-9, farthest - least);
  const y = (states: number) => HEIGHT - (HEIGHT * states) / crawl.states.length;
  const line = `M0 ${y(crawl.states.length)}${steps.map(([from, states]) => `H${x(from).toFixed(1)}V${y(states).toFixed(1)}`).join("")}H${WIDTH}`;
  const last = steps.at(-1);
  return (
    <svg viewBox={`-1 -2 ${WIDTH + 2} ${HEIGHT + 4}`} role="img" aria-label={`States against threshold: from ${number(crawl.states.length)} down to ${number(last ? last[1] : crawl.states.length)}`}>
      <path class="area" d={`${line}V${HEIGHT}H0Z`} />
      <path class="line" d={line} />
      {at !== null && <line class="at" x1={x(at)} x2={x(at)} y1={0} y2={HEIGHT} />}
    </svg>
  );
}
