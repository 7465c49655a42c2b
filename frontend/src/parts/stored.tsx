import type { State } from "../crawl";
import { useAsked } from "../following";
import type { Source } from "../source";
import { WordsMarked } from "./found_text";
import { Picture } from "./picture";

/** A state as it was when it was crawled: its picture, and what could be read. */
export function Stored({ source, state, words }: { source: Source; state: State; words: string[] }) {
  const content = useAsked(() => source.state(state.id), state.id);
  return (
    <section class="stored">
      <h2>As it was crawled</h2>
      <Picture source={source} state={state} />
      {content instanceof Error ? <p class="bad">{content.message}</p> : content && (
        <pre class="text" tabIndex={0}><WordsMarked text={content.text} words={words} /></pre>
      )}
    </section>
  );
}
