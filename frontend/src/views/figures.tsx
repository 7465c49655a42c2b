import type { ViewProps } from "../app";
import type { Crawl } from "../crawl";
import { duration, number, plural } from "../words";

const STOPS: Record<string, string> = {
  "": "running, or ended before its time",
  complete: "complete: every event of every state was explored",
  gave_up: "complete, but for events that could not be reached any more",
  interrupted: "stopped before its end",
  application_lost: "the application does not answer any more",
};

/** The figures of the crawl, and the curve of states found against cost. */
export function FiguresView({ crawl }: ViewProps) {
  const { summary, settings, masks, left_alone } = crawl.document;
  const figures: [name: string, value: string, more?: string][] = [
    ["states", number(summary.states), [plural(summary.urls, "URL"), ...(summary.classes < summary.states ? [`${number(summary.classes)} near-duplicate classes`] : [])].join(", ")],
    ["transitions", number(summary.transitions), summary.assumed ? `${number(summary.assumed)} assumed` : ""],
    ["events", number(summary.events), `${number(summary.events_to_all_states)} to all states`],
    ["resets", number(summary.resets), `each costs ${number(summary.reset_cost)} events`],
    ["cost", number(Math.round(summary.cost)), `${number(Math.round(summary.cost_to_all_states))} to all states`],
    ["time", duration(summary.seconds), `${number(Math.round(summary.events_per_second))} events/s`],
    ["requests", number(summary.requests), `${number(summary.requests_cached)} more from the cache`],
    ["nondeterministic", number(summary.nondeterministic.length), summary.nondeterministic.length === 1 ? "event" : "events"],
  ];
  return (
    <div class="page">
      <h1>Figures</h1>
      <p>{STOPS[summary.stop_reason] ?? `stopped at a limit: ${summary.stop_reason}`}; strategy {summary.strategy}, equivalence {summary.equivalence}</p>
      {summary.warnings.map((warning) => <p class="warning">{warning}</p>)}
      <dl class="figures">
        {figures.map(([name, value, more]) => (
          <div><dt>{name}</dt><dd>{value}{more && <small>{more}</small>}</dd></div>
        ))}
      </dl>
      <h2>States found against cost</h2>
      <Curve crawl={crawl} />
      <Table title="Where the time of all tabs went" head={["into", "how long"]} rows={Object.entries(summary.time).map(([into, seconds]) => [into, duration(seconds)])} />
      <Table title="What failed" head={["kind", "times"]} rows={Object.entries(summary.failures).map(([kind, times]) => [kind, number(times)])} />
      <Table title="Nondeterministic events" head={["state", "event", "why", "evidence"]} rows={summary.nondeterministic.map((doubt) => [doubt.state, crawl.look(crawl.state(doubt.state), doubt.event).label || doubt.event, doubt.why, doubt.evidence])} />
      <Table title="Left out of identity" head={["part", "where", "why"]} rows={masks.map(([path, part, reason]) => [part, path, reason])} />
      <Table title="Left alone" head={["control", "kind", "why"]} rows={left_alone.map(([label, kind, , reason]) => [label, kind, reason])} />
      <Table title="Settings" head={["option", "value"]} rows={settings.map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)])} />
    </div>
  );
}

function Table({ title, head, rows }: { title: string; head: string[]; rows: string[][] }) {
  if (!rows.length) return null;
  return (
    <>
      <h2>{title}</h2>
      <div class="scroll" tabIndex={0} role="group" aria-label={title}>
        <table>
          <thead><tr>{head.map((name) => <th>{name}</th>)}</tr></thead>
          <tbody>{rows.slice(0, 300).map((row) => <tr>{row.map((cell) => <td>{cell}</td>)}</tr>)}</tbody>
        </table>
      </div>
    </>
  );
}

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT] = [860, 300, 56, 36, 12, 16];

function Curve({ crawl }: { crawl: Crawl }) {
  const { summary, states } = { summary: crawl.document.summary, states: crawl.states };
  const costs = states.map(({ found: [events, resets] }) => events + resets * summary.reset_cost).sort((one, two) => one - two);
  const last = Math.max(1, summary.cost, costs.at(-1) ?? 1);
  const x = (cost: number) => LEFT + ((WIDTH - LEFT - RIGHT) * cost) / last;
  const y = (count: number) => HEIGHT - BOTTOM - ((HEIGHT - BOTTOM - TOP) * count) / Math.max(1, states.length);
  const every = Math.max(1, Math.floor(costs.length / 600));
  const points = costs.flatMap((cost, at) => (at % every === 0 || at === costs.length - 1 ? [`H${x(cost).toFixed(1)}V${y(at + 1).toFixed(1)}`] : []));
  const line = `M${LEFT} ${HEIGHT - BOTTOM}${points.join("")}H${x(last).toFixed(1)}`;
  const said = `${plural(states.length, "state")} found at a cost of ${number(Math.round(costs.at(-1) ?? 0))}; the whole crawl cost ${number(Math.round(summary.cost))}`;
  return (
    <figure class="curve">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={said}>
        {ticks(states.length).map((count) => (
          <g class="grid"><line x1={LEFT} x2={WIDTH - RIGHT} y1={y(count)} y2={y(count)} /><text x={LEFT - 8} y={y(count) + 4} text-anchor="end">{number(count)}</text></g>
        ))}
        {ticks(last).map((cost) => (
          <g class="grid"><line x1={x(cost)} x2={x(cost)} y1={TOP} y2={HEIGHT - BOTTOM} /><text x={x(cost)} y={HEIGHT - BOTTOM + 18} text-anchor="middle">{number(cost)}</text></g>
        ))}
        <path class="area" d={`${line}V${HEIGHT - BOTTOM}Z`} />
        <path class="line" d={line} />
      </svg>
      <figcaption class="muted">{said} (events, and resets at {number(summary.reset_cost)} events each).</figcaption>
    </figure>
  );
}

/** Round numbers from 0 to the most, about five. */
function ticks(most: number): number[] {
  const rough = Math.max(1, most) / 4;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * size).find((each) => each >= rough)!);
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, at) => at * step);
}
