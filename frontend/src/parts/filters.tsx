import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { type Crawl, isLoop } from "../crawl";
import type { Selection } from "../graph/selection";
import { type Place, setParameters } from "../router";
import { number, shortened } from "../words";
import { OnlySelect } from "./only";

const MOST_URLS = 200;

const SHAPES = { rings: "rings around the start", columns: "columns from the start" };
const COLOURINGS = { distance: "distance from the start", url: "URL", work: "work and findings" };

interface Props {
  crawl: Crawl;
  place: Place;
  selection: Selection;
  /** What else there is to choose. */
  children: ComponentChildren;
}

/** What is shown of the graph, and how. */
export function Filters({ crawl, place, selection, children }: Props) {
  const set = (changes: Record<string, string>) => setParameters(place, changes);
  const { kinds, urls, menus, loops } = useMemo(() => facets(crawl), [crawl]);
  return (
    <details class="filters" open={innerWidth > 700}>
      <summary>Filters</summary>
      <form onSubmit={(event) => event.preventDefault()}>
        <OnlySelect place={place} />
        <label>
          URL
          <select value={selection.url} onChange={(event) => set({ url: event.currentTarget.value })}>
            <option value="">all ({number(urls.length)})</option>
            {urls.slice(0, MOST_URLS).map(([url, count]) => (
              <option value={url}>{shortened(url.replace(/^https?:\/\/[^/]*/, "") || "/", 60)} ({count})</option>
            ))}
          </select>
        </label>
        <fieldset>
          <legend>Transitions</legend>
          {[...kinds].map(([kind, count]) => (
            <Check
              name={kind || "other"}
              count={count}
              isOn={!selection.hiddenKinds.has(kind)}
              onChange={(isOn) => {
                const hidden = new Set(selection.hiddenKinds);
                if (isOn) hidden.delete(kind);
                else hidden.add(kind);
                set({ without: [...hidden].join(",") });
              }}
            />
          ))}
          {menus > 0 && <Check name="of menus" count={menus} isOn={selection.withMenus} onChange={(isOn) => set({ menus: isOn ? "1" : "0" })} />}
          {loops > 0 && <Check name="only states with self-loops" count={loops} isOn={selection.loops} onChange={(isOn) => set({ loops: isOn ? "1" : "" })} />}
        </fieldset>
        <Choice name="Layout" of={SHAPES} chosen={selection.shape} onChange={(shape) => set({ shape })} />
        <Choice name="Colours" of={COLOURINGS} chosen={selection.colouring} onChange={(colour) => set({ colour })} />
        {children}
      </form>
    </details>
  );
}

interface CheckProps {
  name: string;
  count: number;
  isOn: boolean;
  onChange(isOn: boolean): void;
}

function Check({ name, count, isOn, onChange }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} />
      {name} <span class="muted">{number(count)}</span>
    </label>
  );
}

interface ChoiceProps {
  name: string;
  of: Record<string, string>;
  chosen: string;
  onChange(value: string): void;
}

function Choice({ name, of, chosen, onChange }: ChoiceProps) {
  return (
    <label>
      {name}
      <select value={chosen} onChange={(event) => onChange(event.currentTarget.value)}>
        {Object.entries(of).map(([value, words]) => <option value={value}>{words}</option>)}
      </select>
    </label>
  );
}

function facets(crawl: Crawl) {
  const urls = new Map<string, number>();
  for (const { url } of crawl.states) urls.set(url, (urls.get(url) ?? 0) + 1);
  return {
    kinds: crawl.kinds,
    urls: [...urls].sort((one, two) => two[1] - one[1]),
    menus: crawl.transitions.filter((transition) => crawl.isMenu(transition)).length,
    loops: crawl.transitions.filter(isLoop).length,
  };
}
