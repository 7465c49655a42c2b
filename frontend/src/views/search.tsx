import "./search.css";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ViewProps } from "../app";
import type { Crawl } from "../crawl";
import type { Found, FoundState } from "../documents";
import { FoundText } from "../parts/found_text";
import { Notice } from "../parts/notice";
import { Picture } from "../parts/picture";
import { addressOf, setParameters } from "../router";
import type { Source } from "../source";
import { plural, shortened } from "../words";

const PAUSE_MS = 80;

/** Search in what states show, as one types. */
export function SearchView({ source, crawl, place }: ViewProps) {
  const query = place.parameters.get("q") ?? "";
  const box = useRef<HTMLInputElement>(null);
  const found = useFound(source, query);
  useEffect(() => box.current?.focus(), []);
  if (!source.live) {
    return (
      <Notice title="No search here">
        <p>A report is files only. To search what states show: <code>statecrawl search DIR QUERY</code></p>
      </Notice>
    );
  }
  return (
    <div class="page search-page">
      <h1>Search what states show</h1>
      <form class="ask" onSubmit={(event) => event.preventDefault()}>
        <input
          ref={box}
          type="search"
          aria-label="Words in states"
          placeholder='words, "a phrase", OR, NOT, title:, url:'
          value={query}
          onInput={(event) => setParameters(place, { q: event.currentTarget.value })}
        />
      </form>
      <div aria-live="polite">
        {found instanceof Error && <p class="muted">{found.message}</p>}
        {found && !(found instanceof Error) && query && (
          <p class="muted">{plural(found.total, "state")}{found.results.length < found.total && `, the best ${found.results.length}`}</p>
        )}
      </div>
      {found && !(found instanceof Error) && query && <Results source={source} crawl={crawl} found={found} />}
    </div>
  );
}

/** What was found last; the answer to an older question is never shown after that to a newer one. */
function useFound(source: Source, query: string): Found | Error | null {
  const [found, setFound] = useState<Found | Error | null>(null);
  useEffect(() => {
    if (!source.live || !query.trim()) return setFound(null);
    let isOver = false;
    const timer = setTimeout(() => {
      source.live!.search(query).then(
        (answer) => isOver || setFound(answer),
        (problem) => isOver || setFound(problem as Error),
      );
    }, PAUSE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [source, query]);
  return found;
}

function Results({ source, crawl, found }: { source: Source; crawl: Crawl; found: Found }) {
  return (
    <ol class="found">
      {found.results.map((result, at) => (
        <Result
          key={result.state}
          source={source}
          crawl={crawl}
          result={result}
          words={found.words}
          isMore={found.results[at - 1]?.url === result.url}
        />
      ))}
    </ol>
  );
}

interface ResultProps {
  source: Source;
  crawl: Crawl;
  result: FoundState;
  words: string[];
  isMore: boolean;
}

function Result({ source, crawl, result, words, isMore }: ResultProps) {
  const state = crawl.state(result.state);
  const marks = words.map((word) => `mark=${encodeURIComponent(word)}`).join("&");
  const steps = result.labels.map((label, at) => label || result.path[at]!);
  return (
    <li class={isMore ? "same-url" : ""}>
      {state ? <Picture source={source} state={state} isSmall /> : <span />}
      <div>
        <h2><a href={addressOf("state", result.state)}>{result.title || "(no title)"}</a></h2>
        <p class="muted url">{shortened(result.url, 120)}</p>
        <p class="snippet"><FoundText text={result.snippet} marks={result.marks} /></p>
        <p class="way">
          {["Load the page", ...steps].map((step, at) => <>{at > 0 && " › "}<span>{shortened(step, 40)}</span></>)}
          {result.alike > 0 && <span class="muted"> · {plural(result.alike, "more state")} alike</span>}
        </p>
        <p class="actions"><a class="button" href={`${addressOf("replay", result.state)}?${marks}`}>Open in a browser</a></p>
      </div>
    </li>
  );
}
