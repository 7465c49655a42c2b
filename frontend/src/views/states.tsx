import { useMemo } from "preact/hooks";
import type { ViewProps } from "../app";
import type { Crawl, State } from "../crawl";
import { readSelection, showsState } from "../graph/selection";
import { Growing } from "../parts/growing";
import { Notice } from "../parts/notice";
import { OnlySelect } from "../parts/only";
import { Picture } from "../parts/picture";
import { useMerging } from "../merging";
import { addressOf, type Place, setParameters } from "../router";
import type { Source } from "../source";
import { plural, shortened, titleOf } from "../words";

const ORDERS: Record<string, [name: string, value: (crawl: Crawl, state: State) => number]> = {
  "": ["as found", (_, state) => state.number],
  in: ["most ways in", (crawl, state) => -crawl.arriving[state.number]!.length],
  out: ["most events", (_, state) => -state.looks.length],
  left: ["most unexplored", (crawl, state) => -crawl.unexplored(state)],
};

/** All states, as a gallery of pictures or as a list. */
export function StatesView({ source, crawl, place }: ViewProps) {
  const merging = useMerging(source, crawl, place.parameters.has("near"));
  const query = place.parameters.toString();
  const isList = place.parameters.get("as") === "list";
  const order = place.parameters.get("order") ?? "";
  const states = useMemo(() => {
    const selection = readSelection(place.parameters, crawl, merging);
    const shown = crawl.states.filter((state) => showsState(crawl, selection, state));
    const [, value] = ORDERS[order] ?? ORDERS[""]!;
    return shown.sort((one, two) => value(crawl, one) - value(crawl, two));
  }, [crawl, query, merging]);
  return (
    <div class="page">
      <div class="bar">
        <h1>{plural(states.length, "state")}{states.length < crawl.states.length && <span class="muted"> of {crawl.states.length.toLocaleString("en")}</span>}</h1>
        <Near place={place} />
        <Options place={place} order={order} isList={isList} />
      </div>
      {!states.length && (
        <Notice title="No state is like that">
          <p><a href="#/states">Show all states</a></p>
        </Notice>
      )}
      <Growing key={query} items={states} name={isList ? "rows" : "gallery"} render={(state) => (
        isList ? <Row source={source} crawl={crawl} state={state} /> : <Tile source={source} crawl={crawl} state={state} />
      )} />
    </div>
  );
}

/** Says that near-duplicates are left out, and takes them in again. */
function Near({ place }: { place: Place }) {
  const near = place.parameters.get("near");
  if (!near) return null;
  return (
    <p class="muted">
      as a crawl with threshold {near} would find them <button type="button" onClick={() => setParameters(place, { near: "" })}>Show all</button>
    </p>
  );
}

function Options({ place, order, isList }: { place: Place; order: string; isList: boolean }) {
  return (
    <form class="options" onSubmit={(event) => event.preventDefault()}>
      <OnlySelect place={place} />
      <label>
        Order
        <select value={order} onChange={(event) => setParameters(place, { order: event.currentTarget.value })}>
          {Object.entries(ORDERS).map(([key, [name]]) => <option value={key}>{name}</option>)}
        </select>
      </label>
      <label>
        As
        <select value={isList ? "list" : ""} onChange={(event) => setParameters(place, { as: event.currentTarget.value })}>
          <option value="">gallery</option>
          <option value="list">list</option>
        </select>
      </label>
    </form>
  );
}

interface ItemProps {
  source: Source;
  crawl: Crawl;
  state: State;
}

export function Tile({ source, crawl, state }: ItemProps) {
  return (
    <li>
      <a class="tile" href={addressOf("state", state.id)}>
        <Picture source={source} state={state} isSmall />
        <strong>{titleOf(state)}</strong>
        <span class="muted">{plural(state.looks.length, "event")} · {crawl.arriving[state.number]!.length} in</span>
        <Tags crawl={crawl} state={state} />
      </a>
    </li>
  );
}

function Row({ source, crawl, state }: ItemProps) {
  return (
    <li>
      <a class="row" href={addressOf("state", state.id)}>
        <Picture source={source} state={state} isSmall />
        <span class="what">
          <strong>{titleOf(state)}</strong> <code>{state.id.slice(0, 8)}</code>
          <span class="muted url">{shortened(state.url, 120)}</span>
        </span>
        <span class="muted">{plural(state.looks.length, "event")} · {crawl.arriving[state.number]!.length} in</span>
        <Tags crawl={crawl} state={state} />
      </a>
    </li>
  );
}

export function Tags({ crawl, state }: { crawl: Crawl; state: State }) {
  const left = crawl.unexplored(state);
  const findings = crawl.findings(state).length;
  return (
    <span class="tags">
      {crawl.starts.includes(state.number) && <span class="tag start">start</span>}
      {left > 0 && <span class="tag warn">{left} unexplored</span>}
      {crawl.isDoubtful(state) && <span class="tag odd">nondeterministic</span>}
      {findings > 0 && <span class="tag bad">{plural(findings, "finding")}</span>}
    </span>
  );
}
