import type { ViewProps } from "../app";
import type { Crawl } from "../crawl";
import type { Comparison, ComparedState, ComparedTransition } from "../documents";
import { useAsked } from "../following";
import { Growing } from "../parts/growing";
import { Notice } from "../parts/notice";
import { Picture } from "../parts/picture";
import { StateLink } from "../parts/statelink";
import { addressOf } from "../router";
import type { Source } from "../source";
import { number, plural, shortened } from "../words";

const MOST_DETAILS = 8;

/** What appeared, vanished and changed since an older crawl. */
export function CompareView({ source, crawl }: ViewProps) {
  const found = useAsked(() => source.comparison());
  if (!crawl.document.has_before) {
    return (
      <Notice title="Nothing to compare with">
        <p>Give an older crawl of the same application: <code>statecrawl view DIR --before OLDER</code></p>
      </Notice>
    );
  }
  if (found instanceof Error) return <Notice title="The crawls can't be compared"><p>{found.message}</p></Notice>;
  if (!found) return <Notice title="Comparing…" />;
  const { states, transitions } = found;
  return (
    <div class="page">
      <h1>Compared with <code>{found.a.crawl}</code></h1>
      {found.warnings.map((warning) => <p class="warning">{warning}</p>)}
      <dl class="figures">
        <Figure name="the same" states={found.same.states} transitions={found.same.transitions} />
        <Figure name="appeared" states={states.appeared.length} transitions={transitions.appeared.length} />
        <Figure name="vanished" states={states.vanished.length} transitions={transitions.vanished.length} />
        <Figure name="changed" states={states.changed.length} transitions={transitions.changed.length} />
      </dl>
      {found.not_compared > 0 && <p class="muted">{plural(found.not_compared, "transition")} could not be compared: the other crawl has not explored the event.</p>}
      <Changed source={source} crawl={crawl} found={found} />
      {states.appeared.length > 0 && (
        <>
          <h2>States that appeared</h2>
          <Growing items={states.appeared} name="gallery" render={(state) => <Appeared source={source} crawl={crawl} state={state} />} />
        </>
      )}
      {states.vanished.length > 0 && (
        <>
          <h2>States that vanished</h2>
          <Growing items={states.vanished} name="gallery" render={(state) => (
            <li><div class="tile"><Older source={source} state={state} hasPicture={found.pictures.includes(state.state)} /><strong>{shortened(state.title || "Untitled")}</strong><span class="muted url">{shortened(state.url)}</span></div></li>
          )} />
        </>
      )}
      <Transitions title="Transitions that appeared" rows={transitions.appeared} />
      <Transitions title="Transitions that vanished" rows={transitions.vanished} />
      <Transitions title="Transitions that lead elsewhere" rows={transitions.changed.map(({ was, now }) => ({ ...now, before: was.targets }))} />
    </div>
  );
}

function Figure({ name, states, transitions }: { name: string; states: number; transitions: number }) {
  return <div><dt>{name}</dt><dd>{number(states)}<small>{plural(transitions, "transition")}</small></dd></div>;
}

function Older({ source, state, hasPicture }: { source: Source; state: ComparedState; hasPicture: boolean }) {
  const address = useAsked(async () => (hasPicture ? source.thumbnailBefore(state.state) : null), state.state);
  return (
    <span class="picture small">
      {typeof address === "string" ? <img src={address} alt={`Older screenshot of ${shortened(state.title)}`} loading="lazy" /> : <span class="none">no picture</span>}
    </span>
  );
}

function Appeared({ source, crawl, state }: { source: Source; crawl: Crawl; state: ComparedState }) {
  const known = crawl.state(state.state);
  return (
    <li>
      <a class="tile" href={addressOf("state", state.state)}>
        {known && <Picture source={source} state={known} isSmall />}
        <strong>{shortened(state.title || "Untitled")}</strong>
        <span class="muted url">{shortened(state.url)}</span>
      </a>
    </li>
  );
}

function Changed({ source, crawl, found }: { source: Source; crawl: Crawl; found: Comparison }) {
  if (!found.states.changed.length) return null;
  return (
    <>
      <h2>States that changed</h2>
      <Growing items={found.states.changed} name="plain" render={({ was, now, differences }) => {
        const known = crawl.state(now.state);
        return (
          <li class="changed">
            <div class="pair">
              <figure><figcaption class="muted">before</figcaption><Older source={source} state={was} hasPicture={found.pictures.includes(was.state)} /></figure>
              <figure><figcaption>now: <StateLink state={known} /></figcaption>{known && <Picture source={source} state={known} isSmall />}</figure>
            </div>
            <div class="scroll" tabIndex={0} role="group" aria-label={`What changed in ${shortened(now.title)}`}>
              <table>
                <thead><tr><th>what</th><th>where</th><th>was</th><th>is</th></tr></thead>
                <tbody>
                  {differences.slice(0, MOST_DETAILS).map((detail) => (
                    <tr><td>{detail.what}</td><td><code>{shortened(detail.where)}</code></td><td class="was">{detail.was}</td><td class="is">{detail.now}</td></tr>
                  ))}
                </tbody>
              </table>
              {differences.length > MOST_DETAILS && <p class="muted more">and {differences.length - MOST_DETAILS} more</p>}
            </div>
          </li>
        );
      }} />
    </>
  );
}

function Transitions({ title, rows }: { title: string; rows: (ComparedTransition & { before?: string[] })[] }) {
  if (!rows.length) return null;
  const short = (ids: string[]) => ids.map((id) => id.slice(0, 8)).join(", ");
  return (
    <>
      <h2>{title}</h2>
      <div class="scroll" tabIndex={0} role="group" aria-label={title}>
        <table>
          <thead><tr><th>in</th><th>event</th><th>leads to</th></tr></thead>
          <tbody>
            {rows.slice(0, 200).map((row) => (
              <tr>
                <td><code>{row.source.slice(0, 8) || "start"}</code></td>
                <td>{shortened(row.label || row.event)}</td>
                <td><code>{row.before ? `${short(row.before)} → ${short(row.targets)}` : short(row.targets)}</code></td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > 200 && <p class="muted">and {number(rows.length - 200)} more: statecrawl diff --json has all</p>}
    </>
  );
}
