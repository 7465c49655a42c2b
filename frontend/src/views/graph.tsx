import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ViewProps } from "../app";
import type { Crawl, State } from "../crawl";
import { type Colours, coloursFor } from "../graph/colours";
import { Drawing, setScene } from "../graph/drawing";
import { readSelection, type Selection, showsState } from "../graph/selection";
import { layOut } from "../layout";
import { useMerging } from "../merging";
import { Filters } from "../parts/filters";
import { Notice } from "../parts/notice";
import { Picture } from "../parts/picture";
import { Threshold } from "../parts/threshold";
import { addressOf, go, setParameters } from "../router";
import type { Source } from "../source";
import { plural, shortened, titleOf } from "../words";

const STEP = 0.15;
/** A picture that the browser takes away is drawn anew, but not for ever. */
const MOST_DRAWINGS = 5;

export function GraphView({ source, crawl, place, progress }: ViewProps) {
  const stage = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing | null>(null);
  const [failure, setFailure] = useState("");
  const [theme, setTheme] = useState(0);
  const [drawings, setDrawings] = useState(1);
  const query = place.parameters.toString();
  const [wantsMerging, setWantsMerging] = useState(place.parameters.has("near"));
  const merging = useMerging(source, crawl, wantsMerging);
  const selection = useMemo(() => readSelection(place.parameters, crawl, merging), [query, crawl, merging]);
  const layout = useMemo(() => layOut(crawl, selection.shape), [crawl, selection.shape]);
  const colours = useMemo(() => coloursFor(crawl, layout, selection.colouring), [crawl, layout, selection.colouring]);
  const named = crawl.state(place.parameters.get("state") ?? "");
  const selected = named && selection.merged ? crawl.states[selection.merged[named.number]!] ?? null : named;
  const chosen = useRef(place);
  chosen.current = place;
  const known = useRef(crawl);
  known.current = crawl;
  const look = [...place.parameters].filter(([name]) => name !== "state").join("&");

  useEffect(() => {
    try {
      drawing.current = new Drawing(stage.current!, (id) => source.thumbnail(id), {
        onState: (number) => setParameters(chosen.current, { state: number === null ? "" : known.current.states[number]!.id }),
        onOpen: (number) => go(addressOf("state", known.current.states[number]!.id)),
        onLost: () => {
          if (drawings < MOST_DRAWINGS) setDrawings(drawings + 1);
          else setFailure("This browser keeps taking away what the graph is drawn with (WebGL).");
        },
      });
    } catch {
      setFailure("This browser can't draw the graph: it has no WebGL.");
    }
    const themed = () => setTheme((times) => times + 1);
    addEventListener("themechange", themed);
    return () => {
      removeEventListener("themechange", themed);
      drawing.current?.close();
      drawing.current = null;
    };
  }, [drawings]);
  useEffect(() => drawing.current?.show(setScene(crawl, layout, selection, colours)), [crawl, layout, colours, look, theme, selection.merged, drawings]);
  useEffect(() => drawing.current?.select(selected?.number ?? null), [selected?.id, crawl, drawings]);
  useEffect(() => {
    if (selected && place.parameters.has("at")) drawing.current?.visit(selected.number);
  }, []);
  const tabs = progress?.is_running ? progress.tabs : [];
  useEffect(() => {
    drawing.current?.markTabs(tabs.flatMap((id) => crawl.state(id)?.number ?? []));
  }, [tabs.join(), crawl, drawings]);

  const pressed = (event: KeyboardEvent) => {
    const moves: Record<string, () => void> = {
      "+": () => drawing.current?.zoom(1 / 1.5),
      "-": () => drawing.current?.zoom(1.5),
      "0": () => drawing.current?.fit(),
      ArrowLeft: () => drawing.current?.pan(-STEP, 0),
      ArrowRight: () => drawing.current?.pan(STEP, 0),
      ArrowUp: () => drawing.current?.pan(0, STEP),
      ArrowDown: () => drawing.current?.pan(0, -STEP),
    };
    moves[event.key]?.();
    if (moves[event.key]) event.preventDefault();
  };
  if (failure) {
    return (
      <Notice title="No picture">
        <p>{failure} The <a href="#/states">list of states</a> has everything in it, too.</p>
      </Notice>
    );
  }
  return (
    <>
      <h1 class="hidden">Graph of states</h1>
      <Filters crawl={crawl} place={place} selection={selection}>
        <Threshold place={place} crawl={crawl} merging={merging} onOpen={() => setWantsMerging(true)} />
      </Filters>
      <div class="stage-area">
        <div
          ref={stage}
          class="stage"
          tabIndex={0}
          role="application"
          aria-label="Graph of states: arrow keys move, plus and minus zoom; the States view lists them all"
          onKeyDown={pressed}
        />
        <Count crawl={crawl} selection={selection} />
        <Legend colours={colours} />
        <div class="zoom">
          <button type="button" class="icon" aria-label="Nearer" onClick={() => drawing.current?.zoom(1 / 1.5)}>+</button>
          <button type="button" class="icon" aria-label="Farther" onClick={() => drawing.current?.zoom(1.5)}>−</button>
          <button type="button" class="icon" aria-label="All of it" onClick={() => drawing.current?.fit()}>⤢</button>
        </div>
        {selected && <Card source={source} crawl={crawl} state={selected} onVisit={() => drawing.current?.visit(selected.number)} onClose={() => setParameters(place, { state: "" })} />}
      </div>
    </>
  );
}

function Count({ crawl, selection }: { crawl: Crawl; selection: Selection }) {
  const shown = useMemo(() => crawl.states.filter((state) => showsState(crawl, selection, state)).length, [crawl, selection]);
  if (shown === crawl.states.length) return null;
  return <p class="shown" role="status">{shown ? `${plural(shown, "state")} of ${crawl.states.length.toLocaleString("en")}` : "No state is like that"}</p>;
}

function Legend({ colours }: { colours: Colours }) {
  return (
    <ul class="legend" aria-label="Colours">
      {colours.legend.map(([colour, meaning]) => (
        <li><span class="swatch" style={{ background: colour }} />{shortened(meaning, 40)}</li>
      ))}
    </ul>
  );
}

interface CardProps {
  source: Source;
  crawl: Crawl;
  state: State;
  onVisit(): void;
  onClose(): void;
}

function Card({ source, crawl, state, onVisit, onClose }: CardProps) {
  const left = crawl.unexplored(state);
  const findings = crawl.findings(state).length;
  return (
    <aside class="card" aria-label="The state that is selected">
      <button type="button" class="icon close" aria-label="Close" onClick={onClose}>×</button>
      <a href={addressOf("state", state.id)}><Picture source={source} state={state} isSmall /></a>
      <h2>{titleOf(state)}</h2>
      <p class="muted url">{shortened(state.url, 120)}</p>
      <p>
        {plural(state.looks.length, "event")}, {plural(crawl.arriving[state.number]!.length, "way")} in
        {left > 0 && <span class="tag warn">{left} unexplored</span>}
        {findings > 0 && <span class="tag bad">{plural(findings, "finding")}</span>}
      </p>
      <p class="actions">
        <a class="button primary" href={addressOf("state", state.id)}>Open</a>
        {source.live && <a class="button" href={addressOf("replay", state.id)}>Replay</a>}
        <button type="button" onClick={onVisit}>Go there</button>
      </p>
    </aside>
  );
}
