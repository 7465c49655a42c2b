import { useMemo } from "preact/hooks";
import { type Crawl, isLoop } from "../crawl";
import type { Selection } from "../graph/selection";
import { type Place, setParameters } from "../router";
import { number, shortened } from "../words";
import { OnlySelect } from "./only";

const MOST_URLS = 200;

interface Props {
  crawl: Crawl;
  place: Place;
  selection: Selection;
}

/** What is shown of the graph, and how. */
export function Filters({ crawl, place, selection }: Props) {
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
            <label class="check">
              <input
                type="checkbox"
                checked={!selection.hiddenKinds.has(kind)}
                onChange={(event) => {
                  const hidden = new Set(selection.hiddenKinds);
                  if (event.currentTarget.checked) hidden.delete(kind);
                  else hidden.add(kind);
                  set({ without: [...hidden].join(",") });
                }}
              />
              {kind || "other"} <span class="muted">{number(count)}</span>
            </label>
          ))}
          {menus > 0 && (
            <label class="check">
              <input type="checkbox" checked={selection.withMenus} onChange={(event) => set({ menus: event.currentTarget.checked ? "1" : "0" })} />
              of menus <span class="muted">{number(menus)}</span>
            </label>
          )}
          {loops > 0 && (
            <label class="check">
              <input type="checkbox" checked={selection.loops} onChange={(event) => set({ loops: event.currentTarget.checked ? "1" : "" })} />
              only states with self-loops <span class="muted">{number(loops)}</span>
            </label>
          )}
        </fieldset>
        <label>
          Layout
          <select value={selection.shape} onChange={(event) => set({ shape: event.currentTarget.value })}>
            <option value="rings">rings around the start</option>
            <option value="columns">columns from the start</option>
          </select>
        </label>
        <label>
          Colours
          <select value={selection.colouring} onChange={(event) => set({ colour: event.currentTarget.value })}>
            <option value="distance">distance from the start</option>
            <option value="url">URL</option>
            <option value="work">work and findings</option>
          </select>
        </label>
      </form>
    </details>
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
