import { useEffect, useRef, useState } from "preact/hooks";
import type { State } from "../crawl";
import { useAsked } from "../following";
import type { Source } from "../source";
import { titleOf } from "../words";

/** The screenshot of a state, or a place that says that there is none. */
export function Picture({ source, state, isSmall = false }: { source: Source; state: State; isSmall?: boolean }) {
  const frame = useRef<HTMLSpanElement>(null);
  const [isNear, setIsNear] = useState(!isSmall);
  useEffect(() => {
    if (isNear || !frame.current) return;
    const watcher = new IntersectionObserver(([entry]) => entry?.isIntersecting && setIsNear(true), { rootMargin: "300px" });
    watcher.observe(frame.current);
    return () => watcher.disconnect();
  }, [isNear]);
  const label = `${state.hasPicture ? "Screenshot" : "No picture"} of ${titleOf(state)}`;
  return (
    <span ref={frame} class={isSmall ? "picture small" : "picture"} role="img" aria-label={label}>
      {!state.hasPicture ? <span class="none">no picture</span> : isNear && <Image source={source} state={state} isSmall={isSmall} />}
    </span>
  );
}

function Image({ source, state, isSmall }: { source: Source; state: State; isSmall: boolean }) {
  const address = useAsked(
    () => (isSmall ? source.thumbnail(state.id) : source.picture(state.id)),
    state.id,
    isSmall,
  );
  if (address instanceof Error) return <span class="none">no picture</span>;
  return address ? <img src={address} alt="" /> : null;
}
