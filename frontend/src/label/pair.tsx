// Two pages side by side: their pictures, what differs in them, or their texts.

import type { LabelledPage, Pair } from "./asking";

export type Shown = "pictures" | "difference" | "texts";

const WAYS: [shown: Shown, name: string][] = [
  ["pictures", "Pictures"],
  ["difference", "Difference (x)"],
  ["texts", "Texts (t)"],
];

export function PairView({ pair, shown, onShow }: { pair: Pair; shown: Shown; onShow(shown: Shown): void }) {
  const [one, other] = pair.pages;
  return (
    <section class="pair" aria-label="Two pages">
      <div class="bar">
        <h1>Are these two pages one?</h1>
        <p class="muted">
          Distance {pair.distance.toFixed(3)}
          {pair.answer && <> · {pair.answer}: {pair.basis}{pair.by && ` by ${pair.by}`}</>}
        </p>
        <div class="actions">
          {WAYS.map(([way, name]) => (
            <button type="button" aria-pressed={shown === way} onClick={() => onShow(way)}>{name}</button>
          ))}
        </div>
      </div>
      {shown === "difference" && one.has_picture && other.has_picture ? (
        <div class="over">
          <img src={address(one)} alt="What differs between the two pictures" />
          <img src={address(other)} alt="" />
        </div>
      ) : (
        <div class="two">
          {pair.pages.map((page) => <OnePage key={page.state} page={page} asText={shown === "texts"} />)}
        </div>
      )}
    </section>
  );
}

function OnePage({ page, asText }: { page: LabelledPage; asText: boolean }) {
  return (
    <figure>
      <figcaption>
        <strong>{page.title || page.state}</strong>
        <span class="muted url">{page.url || page.state}</span>
      </figcaption>
      <div class="sheet" tabIndex={0} role="group" aria-label={`Page ${page.state}`}>
        {page.has_picture && !asText
          ? <img src={address(page)} alt={`Screenshot of ${page.title || page.state}`} />
          : <pre class="text">{page.text || "This page has no text."}</pre>}
      </div>
    </figure>
  );
}

function address(page: LabelledPage): string {
  return `api/pictures/${encodeURIComponent(page.state)}`;
}
