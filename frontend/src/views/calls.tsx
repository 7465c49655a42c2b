import { useMemo } from "preact/hooks";
import type { ViewProps } from "../app";
import type { Calls } from "../documents";
import { Notice } from "../parts/notice";
import { number, plural, shortened } from "../words";

const WIDTH = 860;
const ROW = 34;
const MOST_NODES = 60;

/** Which functions of the application make requests, and what keeping answers saved. */
export function CallsView({ crawl }: ViewProps) {
  const { calls, summary } = crawl.document;
  if (!calls.requests.length) {
    return <Notice title="No calls"><p>No function of the application made a request after a page was loaded.</p></Notice>;
  }
  const all = summary.requests + summary.requests_cached;
  return (
    <div class="page">
      <h1>Calls</h1>
      <dl class="figures">
        <div><dt>functions</dt><dd>{number(calls.nodes.length)}</dd></div>
        <div><dt>hot nodes</dt><dd>{number(calls.hot_nodes.length)}</dd></div>
        <div><dt>requests sent</dt><dd>{number(summary.requests)}</dd></div>
        <div><dt>saved by the cache</dt><dd>{number(summary.requests_cached)}<small>{all ? ` ${Math.round((100 * summary.requests_cached) / all)} %` : ""}</small></dd></div>
      </dl>
      <h2>Who calls whom</h2>
      <p class="muted">A hot node, in orange, makes requests itself. What calls it stands to its left.</p>
      <CallGraph calls={calls} />
      <h2>{plural(calls.requests.length, "request")}</h2>
      <div class="scroll" tabIndex={0} role="group" aria-label="Requests">
        <table>
          <thead><tr><th>Request</th><th>Hot nodes</th><th class="right">Times</th><th class="right">From the cache</th></tr></thead>
          <tbody>
            {[...calls.requests].sort((one, two) => two.times - one.times).slice(0, 300).map((request) => (
              <tr>
                <td class="url"><code>{request.method}</code> {shortened(request.url, 160)}</td>
                <td>{request.hot_nodes.join(", ")}</td>
                <td class="right">{number(request.times)}</td>
                <td class="right">{number(request.times_cached)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function CallGraph({ calls }: { calls: Calls }) {
  const { places, height } = useMemo(() => arrange(calls), [calls]);
  const most = Math.max(1, ...calls.edges.map(([, , times]) => times));
  const hot = new Set(calls.hot_nodes);
  const said = `${plural(places.size, "function")}, ${plural(calls.edges.length, "call")}`;
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Who calls whom">
      <svg class="calls" width={WIDTH} height={height} viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={said}>
        {calls.edges.map(([caller, callee, times]) => {
          const [from, to] = [places.get(caller), places.get(callee)];
          if (!from || !to) return null;
          const [x1, x2] = [from.x + 190, to.x];
          const middle = (x1 + x2) / 2;
          return (
            <path d={`M${x1} ${from.y} C${middle} ${from.y} ${middle} ${to.y} ${x2} ${to.y}`} stroke-width={1 + (4 * times) / most}>
              <title>{`${caller} calls ${callee}: ${number(times)}`}</title>
            </path>
          );
        })}
        {[...places].map(([name, { x, y }]) => (
          <g class={hot.has(name) ? "hot" : ""}>
            <rect x={x} y={y - 12} width={190} height={24} rx={6} />
            <text x={x + 8} y={y + 4}>{shortened(name, 30)}<title>{name}</title></text>
          </g>
        ))}
      </svg>
    </div>
  );
}

/** Callers to the left of what they call, as far as there are no circles. */
function arrange(calls: Calls) {
  const hot = new Set(calls.hot_nodes);
  const nodes = [...calls.nodes].sort((one, two) => Number(hot.has(two)) - Number(hot.has(one))).slice(0, MOST_NODES);
  const rank = new Map(nodes.map((name) => [name, 0]));
  for (let round = 0; round < 4; round++) {
    for (const [caller, callee] of calls.edges) {
      const [here, there] = [rank.get(caller), rank.get(callee)];
      if (here === undefined || there === undefined || caller === callee) continue;
      if (here <= there && there < 3) rank.set(caller, there + 1);
    }
  }
  const deepest = Math.max(...rank.values());
  const columns: string[][] = [];
  for (const [name, far] of rank) (columns[deepest - far] ??= []).push(name);
  const height = Math.max(...columns.map((column) => column?.length ?? 0)) * ROW + 20;
  const step = deepest ? (WIDTH - 190) / deepest : 0;
  const places = new Map<string, { x: number; y: number }>();
  columns.forEach((column, at) => {
    column.forEach((name, row) => {
      places.set(name, { x: at * step, y: (height * (row + 0.5)) / column.length });
    });
  });
  return { places, height };
}
