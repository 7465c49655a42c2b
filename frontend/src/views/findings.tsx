import { useMemo } from "preact/hooks";
import type { ViewProps } from "../app";
import type { Crawl } from "../crawl";
import type { Finding } from "../documents";
import { CopyButton } from "../parts/copy";
import { Growing } from "../parts/growing";
import { Notice } from "../parts/notice";
import { Picture } from "../parts/picture";
import { StateLink } from "../parts/statelink";
import { addressOf, setParameters } from "../router";
import type { Source } from "../source";
import { doing, plural, shortened } from "../words";

/** What is wrong with the application, each with the way to it. */
export function FindingsView({ source, crawl, place }: ViewProps) {
  const [chosen] = place.arguments;
  const { findings } = crawl.document;
  const kind = place.parameters.get("kind") ?? "";
  const kinds = useMemo(() => Object.entries(crawl.document.summary.findings), [crawl]);
  if (chosen !== undefined) return <OneFinding source={source} crawl={crawl} finding={findings[Number(chosen)]} />;
  if (!findings.length) {
    return (
      <Notice title="No findings">
        <p>No exception, failed request or broken picture was seen. Invariants and checks of each state find more: <code>statecrawl crawl --check html,accessibility,security</code></p>
      </Notice>
    );
  }
  const shown = findings.map((finding, at) => ({ finding, at })).filter(({ finding }) => !kind || finding.kind === kind);
  return (
    <div class="page">
      <div class="bar">
        <h1>{plural(shown.length, "finding")}</h1>
        <form class="options" onSubmit={(event) => event.preventDefault()}>
          <label>
            Kind
            <select value={kind} onChange={(event) => setParameters(place, { kind: event.currentTarget.value })}>
              <option value="">all</option>
              {kinds.map(([name, count]) => <option value={name}>{name} ({count})</option>)}
            </select>
          </label>
        </form>
      </div>
      <Growing key={kind} items={shown} name="rows" render={({ finding, at }) => {
        const state = crawl.state(finding.state);
        return (
          <li>
            <a class="row" href={addressOf("findings", at)}>
              {state ? <Picture source={source} state={state} isSmall /> : <span />}
              <span class="what">
                <span class="tag bad">{finding.kind}</span> <strong>{shortened(finding.text, 200)}</strong>
                <span class="muted url">{shortened(finding.where, 160)}</span>
              </span>
              <span class="muted">{plural(Math.max(0, finding.path.length - 1), "event")} from the start</span>
            </a>
          </li>
        );
      }} />
    </div>
  );
}

function OneFinding({ source, crawl, finding }: { source: Source; crawl: Crawl; finding: Finding | undefined }) {
  if (!finding) return <Notice title="There is no such finding"><p><a href="#/findings">Show all findings</a></p></Notice>;
  const state = crawl.state(finding.state);
  return (
    <article class="page">
      <p><a href="#/findings">All findings</a></p>
      <h1><span class="tag bad">{finding.kind}</span> {finding.text}</h1>
      {finding.where && <p class="url"><code>{finding.where}</code></p>}
      <div class="columns">
        <div>{state && <><p>In <StateLink state={state} /></p><Picture source={source} state={state} /></>}</div>
        <div>
          <h2>How to see it</h2>
          <ol class="path">{wordsOf(crawl, finding).map((words) => <li>{words}</li>)}</ol>
          {finding.test && (
            <>
              <h2>As a test</h2>
              <CopyButton text={finding.test} />
              <pre class="text" tabIndex={0}>{finding.test}</pre>
            </>
          )}
        </div>
      </div>
    </article>
  );
}

/** The events of a finding's path, in words. */
function wordsOf(crawl: Crawl, finding: Finding): string[] {
  const [load = "", ...events] = finding.path;
  const entry = crawl.document.loads.find(([url]) => load === `load ${url}`);
  let at = entry ? crawl.states[entry[1]]! : null;
  const words = [`Open ${load.replace(/^load /, "")}`];
  for (const event of events) {
    const look = crawl.look(at, event);
    words.push(doing(look));
    const fate = at && look.number >= 0 ? crawl.fate(at, look.number) : null;
    at = fate?.kind === "led" ? crawl.states[fate.transition.target]! : null;
  }
  return words;
}
