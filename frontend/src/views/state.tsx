import type { ViewProps } from "../app";
import { type Crawl, type State, targetsOf, type Transition } from "../crawl";
import type { StateDocument } from "../documents";
import { useAsked } from "../following";
import { Code } from "../parts/code";
import { Difference } from "../parts/difference";
import { Growing } from "../parts/growing";
import { Notice } from "../parts/notice";
import { PathList } from "../parts/path";
import { Picture } from "../parts/picture";
import { StateLink } from "../parts/statelink";
import { addressOf } from "../router";
import type { Source } from "../source";
import { linesOf } from "../source_lines";
import { doing, duration, plural, titleOf } from "../words";
import { Tags, Tile } from "./states";

const TABS: [name: string, title: string][] = [
  ["events", "Events"],
  ["incoming", "Ways in"],
  ["text", "Text"],
  ["dom", "DOM"],
  ["difference", "What differs"],
  ["alike", "Near-duplicates"],
];

/** Everything about one state. */
export function StateView({ source, crawl, place }: ViewProps) {
  const [id = "", tab = "events"] = place.arguments;
  const state = crawl.state(id);
  const content = useAsked(async () => (state ? source.state(state.id) : undefined), state?.id);
  if (!state) {
    return (
      <Notice title="There is no such state">
        <p>It may belong to another crawl. <a href="#/states">Show all states</a></p>
      </Notice>
    );
  }
  const findings = crawl.findings(state);
  return (
    <article class="page state">
      <div class="bar">
        <h1>{titleOf(state)} <code>{state.id}</code></h1>
        <p class="actions">
          {source.live && <a class="button primary" href={addressOf("replay", state.id)}>Replay</a>}
          <a class="button" href={`#/graph?state=${encodeURIComponent(state.id)}&at=1`}>In the graph</a>
        </p>
      </div>
      <p class="muted url">{state.url}</p>
      <p>
        <Tags crawl={crawl} state={state} />
        <span class="muted">
          found after {plural(state.found[0], "event")} and {plural(state.found[1], "reset")}, {duration(state.found[2])}
        </span>
      </p>
      <div class="columns">
        <div>
          <Picture source={source} state={state} />
          <section>
            <h2>How to get there</h2>
            {content instanceof Error ? <p class="bad">{content.message}</p> : content && <PathList crawl={crawl} path={content.path} />}
          </section>
          {findings.length > 0 && (
            <section>
              <h2>Findings</h2>
              <ul class="plain">
                {findings.map((finding) => (
                  <li><a href={addressOf("findings", crawl.document.findings.indexOf(finding))}><span class="tag bad">{finding.kind}</span> {finding.text}</a></li>
                ))}
              </ul>
            </section>
          )}
        </div>
        <div>
          <nav class="tabs" aria-label="About this state">
            {TABS.map(([name, title]) => (
              <a href={addressOf("state", state.id, name)} aria-current={tab === name ? "true" : undefined}>{title}</a>
            ))}
          </nav>
          <Tab tab={tab} source={source} crawl={crawl} state={state} content={content} />
        </div>
      </div>
    </article>
  );
}

interface TabProps {
  tab: string;
  source: Source;
  crawl: Crawl;
  state: State;
  content: StateDocument | Error | undefined;
}

function Tab({ tab, source, crawl, state, content }: TabProps) {
  if (tab === "events") return <Events crawl={crawl} state={state} />;
  if (tab === "incoming") return <Incoming crawl={crawl} state={state} />;
  if (tab === "alike") return <Alike source={source} crawl={crawl} state={state} />;
  if (content instanceof Error) return <p class="bad">{content.message}</p>;
  if (!content) return <p class="muted">Reading…</p>;
  if (tab === "dom") return <Code dom={content.dom} />;
  if (tab === "text") return content.text ? <pre class="text" tabIndex={0}>{content.text}</pre> : <p class="muted">Nothing can be read on this page.</p>;
  return <FromParent source={source} crawl={crawl} content={content} />;
}

function Events({ crawl, state }: { crawl: Crawl; state: State }) {
  if (!state.looks.length) return <p class="muted">No event is enabled in this state.</p>;
  const items = state.looks.map((look, at) => ({ look, at }));
  return (
    <Growing items={items} name="events" render={({ look, at }) => {
      const seen = crawl.looks[look]!;
      const fate = crawl.fate(state, look);
      return (
        <li>
          <span class="kind">{seen.kind}</span>
          {fate.kind === "led" ? (
            <a href={addressOf("transition", state.id, at)}>{doing(seen)}</a>
          ) : (
            <span>{doing(seen)}</span>
          )}
          <span class="leads">
            {fate.kind === "led" && <Targets crawl={crawl} transition={fate.transition} />}
            {fate.kind === "unexplored" && <span class="tag warn">unexplored</span>}
            {fate.kind === "given up" && <span class="tag warn">could not be reached any more</span>}
            {fate.kind === "refused" && <span class="tag odd">could not be fired{fate.reason && `: ${fate.reason}`}</span>}
          </span>
        </li>
      );
    }} />
  );
}

export function Targets({ crawl, transition }: { crawl: Crawl; transition: Transition }) {
  return (
    <>
      {targetsOf(transition).map(([target, times]) => (
        <span>
          → {target === transition.source ? <span class="muted">stays here</span> : <StateLink state={crawl.states[target]!} />}
          {transition.outcomes && <span class="tag odd">{times}×</span>}
        </span>
      ))}
      {transition.isAssumed && <span class="tag">assumed</span>}
    </>
  );
}

function Incoming({ crawl, state }: { crawl: Crawl; state: State }) {
  const ways = crawl.arriving[state.number]!.filter(({ source }) => source !== state.number);
  const loads = crawl.document.loads.filter(([, to]) => to === state.number);
  if (!ways.length && !loads.length) return <p class="muted">No other state leads here.</p>;
  return (
    <>
      {loads.map(([url]) => <p>Open <span class="url">{url}</span></p>)}
      <Growing items={ways} name="events" render={({ source: from, look }) => {
        const source = crawl.states[from]!;
        return (
          <li>
            <span class="kind">{crawl.looks[look]!.kind}</span>
            <a href={addressOf("transition", source.id, source.looks.indexOf(look))}>{doing(crawl.looks[look]!)}</a>
            <span class="leads">in <StateLink state={source} /></span>
          </li>
        );
      }} />
    </>
  );
}

function Alike({ source, crawl, state }: { source: Source; crawl: Crawl; state: State }) {
  const alike = crawl.alike(state);
  if (!alike.length) return <p class="muted">No other state is nearly the same as this one.</p>;
  return (
    <>
      <p class="muted">{plural(alike.length, "state")} nearly the same as this one, or as one that both are near.</p>
      <Growing items={alike} name="gallery" render={(other) => <Tile source={source} crawl={crawl} state={other} />} />
    </>
  );
}

/** What differs from the state before, on the way there. */
function FromParent({ source, crawl, content }: { source: Source; crawl: Crawl; content: StateDocument }) {
  const steps = content.path?.steps ?? [];
  const before = steps.length > 1 ? steps.at(-2)![1] : content.path?.state;
  const parent = steps.length ? crawl.state(before ?? "") : null;
  const other = useAsked(async () => (parent ? source.state(parent.id) : null), parent?.id);
  if (!parent) return <p class="muted">This state is loaded directly: there is none before it.</p>;
  if (other instanceof Error) return <p class="bad">{other.message}</p>;
  if (!other) return <p class="muted">Reading…</p>;
  return (
    <>
      <p>Compared with <StateLink state={parent} />, the state before:</p>
      <h3>Text</h3>
      <Difference before={other.text.split("\n")} after={content.text.split("\n")} />
      <h3>DOM</h3>
      <Difference before={linesOf(other.dom)} after={linesOf(content.dom)} isCode />
    </>
  );
}
