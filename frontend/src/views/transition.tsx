import type { ViewProps } from "../app";
import type { Crawl, State, Transition } from "../crawl";
import type { StateDocument } from "../documents";
import { useAsked } from "../following";
import { type Box, changedParts } from "../parts/changed_parts";
import { Difference } from "../parts/difference";
import { Notice } from "../parts/notice";
import { Picture } from "../parts/picture";
import { StateLink } from "../parts/statelink";
import type { Source } from "../source";
import { linesOf } from "../source_lines";
import { doing, nameOf } from "../words";
import { Targets } from "./state";

/** One event fired in one state: what it did, before and after. */
export function TransitionView({ source, crawl, place }: ViewProps) {
  const [id = "", at = ""] = place.arguments;
  const state = crawl.state(id);
  const look = state?.looks[Number(at)];
  const fate = state && look !== undefined ? crawl.fate(state, look) : null;
  if (!state || fate?.kind !== "led") {
    return (
      <Notice title="There is no such transition">
        <p>{fate ? "This event was not explored." : "It may belong to another crawl."} <a href="#/graph">Back to the graph</a></p>
      </Notice>
    );
  }
  const target = crawl.states[fate.transition.target]!;
  const doubt = crawl.document.summary.nondeterministic.find(
    (each) => each.state === state.id && each.event === crawl.looks[look!]!.identity,
  );
  return (
    <article class="page transition">
      <h1>{doing(crawl.looks[look!]!)}</h1>
      {doubt && <p><span class="tag odd">nondeterministic</span> {doubt.why}: {doubt.evidence}</p>}
      <Annotation source={source} crawl={crawl} state={state} target={target} transition={fate.transition} at={Number(at)} />
      <Pictures source={source} state={state} target={target} />
      <Contents source={source} state={state} target={target} />
    </article>
  );
}

interface AnnotationProps {
  source: Source;
  crawl: Crawl;
  state: State;
  target: State;
  transition: Transition;
  at: number;
}

/** The row of a transition: start, end, source element, event, targets, actions. */
function Annotation({ source, crawl, state, target, transition, at }: AnnotationProps) {
  const content = useAsked(() => source.state(state.id), state.id);
  const look = crawl.looks[transition.look]!;
  const changes = content && !(content instanceof Error) ? (content.changes[at] ?? []) : [];
  const rows = changes.length ? changes : [["", ""]];
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="The transition">
      <table>
        <thead>
          <tr><th>Start state</th><th>End state</th><th>Source element</th><th>Event</th><th>Targets changed</th><th>Action</th></tr>
        </thead>
        <tbody>
          {rows.map(([changed, action], number) => (
            <tr>
              {number === 0 && (
                <>
                  <td rowSpan={rows.length}><StateLink state={state} /></td>
                  <td rowSpan={rows.length}>{transition.outcomes ? <Targets crawl={crawl} transition={transition} /> : <StateLink state={target} />}</td>
                  <td rowSpan={rows.length}>{nameOf(look)}<br /><code class="url">{look.locator}</code></td>
                  <td rowSpan={rows.length}>{look.kind}</td>
                </>
              )}
              <td>{changed ? <code>{changed}</code> : <span class="muted">{content ? "none seen" : "…"}</span>}</td>
              <td>{action && <code>{action}</code>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Pictures({ source, state, target }: { source: Source; state: State; target: State }) {
  const boxes = useAsked(async () => {
    if (!state.hasPicture || !target.hasPicture || state === target) return [];
    return changedParts(await source.picture(state.id), await source.picture(target.id));
  }, state.id, target.id);
  const marked = Array.isArray(boxes) ? boxes : [];
  return (
    <div class="columns even">
      <figure><figcaption>Before: <StateLink state={state} /></figcaption><Marked source={source} state={state} boxes={marked} /></figure>
      <figure><figcaption>After: <StateLink state={target} /></figcaption><Marked source={source} state={target} boxes={marked} /></figure>
    </div>
  );
}

function Marked({ source, state, boxes }: { source: Source; state: State; boxes: Box[] }) {
  const percent = (share: number) => `${share * 100}%`;
  return (
    <span class="marked">
      <Picture source={source} state={state} />
      {boxes.map(({ left, top, width, height }) => (
        <span class="mark" style={{ left: percent(left), top: percent(top), width: percent(width), height: percent(height) }} />
      ))}
    </span>
  );
}

function Contents({ source, state, target }: { source: Source; state: State; target: State }) {
  const both = useAsked(() => Promise.all([source.state(state.id), source.state(target.id)]), state.id, target.id);
  if (both instanceof Error) return <p class="bad">{both.message}</p>;
  if (!both) return <p class="muted">Reading…</p>;
  const [before, after] = both as [StateDocument, StateDocument];
  return (
    <>
      <h2>Text</h2>
      <Difference before={before.text.split("\n")} after={after.text.split("\n")} />
      <h2>DOM</h2>
      <Difference before={linesOf(before.dom)} after={linesOf(after.dom)} isCode />
    </>
  );
}
