import type { Crawl } from "../crawl";
import type { Path } from "../documents";
import { addressOf } from "../router";
import { stepsOf } from "../words";
import { StateLink } from "./statelink";

/** The way to a state in words that a person can follow. */
export function PathList({ crawl, path }: { crawl: Crawl; path: Path | null }) {
  if (!path) return <p class="muted">No way to this state is known.</p>;
  return (
    <ol class="path">
      {stepsOf(crawl, path).map(({ words, source, target, look }) => (
        <li>
          {source && look && look.number >= 0 ? (
            <a href={addressOf("transition", source.id, source.looks.indexOf(look.number))}>{words}</a>
          ) : (
            <span>{words}</span>
          )}
          <span class="leads"> → <StateLink state={target} /></span>
        </li>
      ))}
    </ol>
  );
}
