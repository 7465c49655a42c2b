import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

const STEP = 60;

/** A long list that grows as one comes to its end. */
export function Growing<Item>({ items, name, render }: { items: Item[]; name: string; render(item: Item): JSX.Element }) {
  const [count, setCount] = useState(STEP);
  const end = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!end.current || count >= items.length) return;
    const watcher = new IntersectionObserver(([entry]) => entry?.isIntersecting && setCount(count + STEP), { rootMargin: "600px" });
    watcher.observe(end.current);
    return () => watcher.disconnect();
  }, [count, items]);
  return (
    <ul class={name}>
      {items.slice(0, count).map(render)}
      {count < items.length && (
        <li ref={end} class="more">
          <button type="button" onClick={() => setCount(count + STEP)}>Show more</button>
        </li>
      )}
    </ul>
  );
}
