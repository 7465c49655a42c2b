// The frame around all views: where one is, where one can go, how the crawl is doing.

import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Crawl } from "./crawl";
import type { Progress } from "./documents";
import { useCrawl } from "./following";
import { useKeys } from "./keys";
import { Help } from "./parts/help";
import { LiveBar } from "./parts/live";
import { Notice } from "./parts/notice";
import { ThemeButton } from "./parts/theme";
import { addressOf, go, type Place, setParameters, usePlace } from "./router";
import type { Source } from "./source";
import { CallsView } from "./views/calls";
import { CompareView } from "./views/compare";
import { FiguresView } from "./views/figures";
import { FindingsView } from "./views/findings";
import { GraphView } from "./views/graph";
import { ReplayView } from "./views/replay";
import { SearchView } from "./views/search";
import { StateView } from "./views/state";
import { StatesView } from "./views/states";
import { TransitionView } from "./views/transition";
import { plural, shortened } from "./words";

export interface ViewProps {
  source: Source;
  crawl: Crawl;
  place: Place;
  progress: Progress | null;
}

const VIEWS: Record<string, (props: ViewProps) => JSX.Element> = {
  graph: GraphView,
  states: StatesView,
  search: SearchView,
  state: StateView,
  transition: TransitionView,
  findings: FindingsView,
  calls: CallsView,
  figures: FiguresView,
  compare: CompareView,
  replay: ReplayView,
};

const SEARCHED = ["graph", "states"];

export function App({ source }: { source: Source }) {
  const { crawl, progress, error, retry } = useCrawl(source);
  const place = usePlace();
  const search = useRef<HTMLInputElement>(null);
  const [helps, setHelps] = useState(false);
  useKeys(place, crawl, () => search.current?.focus(), () => setHelps(true));
  useEffect(() => {
    document.title = crawl ? `${titleOf(place)} · ${crawl.document.summary.url} · statecrawl` : "statecrawl";
    document.getElementById("view")?.scrollTo(0, 0);
  }, [place.view, place.arguments.join("/"), crawl === null]);
  return (
    <>
      <a class="skip" href="#view" onClick={(event) => {
        event.preventDefault();
        document.getElementById("view")?.focus();
      }}>Skip to the content</a>
      <Header crawl={crawl} place={place} search={search} onHelp={() => setHelps(true)} />
      {source.live && progress?.is_running && <LiveBar live={source.live} progress={progress} crawl={crawl} />}
      {error && crawl && <p class="stale" role="status">{error}</p>}
      <main id="view" tabIndex={-1} class={`view-${place.view}`}>
        <View source={source} crawl={crawl} place={place} progress={progress} error={error} retry={retry} />
      </main>
      {helps && <Help onClose={() => setHelps(false)} />}
    </>
  );
}

function titleOf({ view, arguments: [first] }: Place): string {
  const name = view.charAt(0).toUpperCase() + view.slice(1);
  return first ? `${name} ${first.slice(0, 8)}` : name;
}

interface OpenProps extends Omit<ViewProps, "crawl"> {
  crawl: Crawl | null;
  error: string;
  retry(): void;
}

function View({ crawl, error, retry, ...rest }: OpenProps): ComponentChildren {
  if (!crawl && error) {
    return (
      <Notice title="The crawl can't be read">
        <p>{error}</p>
        <button type="button" onClick={retry}>Try again</button>
      </Notice>
    );
  }
  if (!crawl) return <Notice title="Reading the crawl…" />;
  if (!crawl.states.length) {
    return (
      <Notice title="No states yet">
        <p>
          {rest.progress?.is_running
            ? "The first page is being loaded; states appear here as they are found."
            : "This crawl ended before it found a state. Go on with it: statecrawl crawl URL --out DIR --resume"}
        </p>
      </Notice>
    );
  }
  const Shown = VIEWS[rest.place.view];
  if (!Shown) {
    return (
      <Notice title="There is nothing here">
        <p><a href="#/graph">Back to the graph</a></p>
      </Notice>
    );
  }
  return <Shown crawl={crawl} {...rest} />;
}

interface HeaderProps {
  crawl: Crawl | null;
  place: Place;
  search: { current: HTMLInputElement | null };
  onHelp(): void;
}

function Header({ crawl, place, search, onHelp }: HeaderProps) {
  const findings = crawl?.document.findings.length ?? 0;
  const tabs: [string, string, number | null][] = [
    ["graph", "Graph", null],
    ["states", "States", crawl?.states.length ?? null],
    ["search", "Search", null],
    ["findings", "Findings", findings],
    ["calls", "Calls", null],
    ["figures", "Figures", null],
  ];
  if (crawl?.document.has_before) tabs.push(["compare", "Compare", null]);
  const here = place.view === "state" ? "states" : place.view;
  return (
    <header>
      <a class="brand" href="#/graph">
        <img src="icon.svg" alt="" width="22" height="22" />
        <span>statecrawl</span>
      </a>
      <p class="subject" title={crawl?.document.summary.url}>
        {crawl ? shortened(crawl.document.summary.url.replace(/^https?:\/\//, ""), 60) : ""}
      </p>
      <nav aria-label="Views">
        {tabs.map(([view, name, count]) => (
          <a href={addressOf(view)} aria-current={here === view ? "page" : undefined}>
            {name}
            {count !== null && <span class={`count ${view === "findings" && count ? "bad" : ""}`}>{count.toLocaleString("en")}</span>}
          </a>
        ))}
      </nav>
      <form role="search" onSubmit={(event) => {
        event.preventDefault();
        const q = search.current?.value ?? "";
        if (!SEARCHED.includes(place.view)) go(`${addressOf("states")}?q=${encodeURIComponent(q)}`);
      }}>
        <input
          ref={search}
          type="search"
          aria-label="Search states"
          placeholder={crawl ? `Search ${plural(crawl.states.length, "state")}` : "Search"}
          value={place.parameters.get("q") ?? ""}
          onInput={(event) => {
            if (SEARCHED.includes(place.view)) setParameters(place, { q: event.currentTarget.value });
          }}
        />
      </form>
      <div class="tools">
        <ThemeButton />
        <button type="button" class="icon" aria-label="Help and keys" onClick={onHelp}>?</button>
      </div>
    </header>
  );
}
