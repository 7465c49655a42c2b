import type { State } from "../crawl";
import { addressOf } from "../router";
import { titleOf } from "../words";

/** The name of a state that leads to its page. */
export function StateLink({ state }: { state: State | null }) {
  if (!state) return <span class="muted">unknown state</span>;
  return (
    <a class="state-link" href={addressOf("state", state.id)}>
      {titleOf(state)} <code>{state.id.slice(0, 8)}</code>
    </a>
  );
}
