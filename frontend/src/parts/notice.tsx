import type { ComponentChildren } from "preact";

/** Says what is, and what to do, where there is nothing else to show. */
export function Notice({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <section class="notice" role="status">
      <h1>{title}</h1>
      {children}
    </section>
  );
}
