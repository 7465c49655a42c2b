// What differs between two texts, line by line, beside each other.

import { diffArrays } from "diff";
import { useState } from "preact/hooks";
import { plural } from "../words";
import { CodeLine } from "./code";

const MOST_EDITS = 4000;
const AROUND = 2;

interface Row {
  before: string | null;
  after: string | null;
  isSame: boolean;
}

interface Fold {
  rows: Row[];
  isSame: boolean;
}

interface Props {
  before: string[];
  after: string[];
  isCode?: boolean;
}

export function Difference({ before, after, isCode = false }: Props) {
  const changes = diffArrays(before, after, { maxEditLength: MOST_EDITS });
  if (!changes) return <p class="muted">Nearly everything differs.</p>;
  const rows = pair(changes);
  if (rows.every((row) => row.isSame)) return <p class="muted">Nothing differs.</p>;
  return (
    <div class={isCode ? "difference code" : "difference"} tabIndex={0} role="group" aria-label={isCode ? "What differs in the DOM" : "What differs in the text"}>
      {fold(rows).map((part) => (part.isSame ? <Same rows={part.rows} isCode={isCode} /> : part.rows.map((row) => <Both row={row} isCode={isCode} />)))}
    </div>
  );
}

function pair(changes: { value: string[]; added: boolean; removed: boolean }[]): Row[] {
  const rows: Row[] = [];
  for (let at = 0; at < changes.length; at++) {
    const change = changes[at]!;
    if (!change.added && !change.removed) {
      for (const line of change.value) rows.push({ before: line, after: line, isSame: true });
      continue;
    }
    const next = changes[at + 1];
    const gone = change.removed ? change.value : next?.removed ? next.value : [];
    const come = change.added ? change.value : next?.added ? next.value : [];
    if (next && (next.added || next.removed)) at++;
    for (let line = 0; line < Math.max(gone.length, come.length); line++) {
      rows.push({ before: gone[line] ?? null, after: come[line] ?? null, isSame: false });
    }
  }
  return rows;
}

/** Put away what is the same, but for a few lines around what is not. */
function fold(rows: Row[]): Fold[] {
  const parts: Fold[] = [];
  rows.forEach((row, at) => {
    const around = rows.slice(Math.max(0, at - AROUND), at + AROUND + 1);
    const isSame = around.every((each) => each.isSame);
    const last = parts.at(-1);
    if (last?.isSame === isSame) last.rows.push(row);
    else parts.push({ rows: [row], isSame });
  });
  return parts;
}

function Same({ rows, isCode }: { rows: Row[]; isCode: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  if (isOpen) return <>{rows.map((row) => <Both row={row} isCode={isCode} />)}</>;
  return (
    <button type="button" class="fold" onClick={() => setIsOpen(true)}>
      {plural(rows.length, "line")} the same
    </button>
  );
}

function Both({ row: { before, after, isSame }, isCode }: { row: Row; isCode: boolean }) {
  const side = (line: string | null, kind: string) => (
    <div class={isSame ? "side" : line === null ? "side empty" : `side ${kind}`}>
      {!isSame && line !== null && <span class="hidden">{kind === "gone" ? "before: " : "after: "}</span>}
      {line === null ? null : isCode ? <CodeLine line={line} /> : <div class="line">{line}</div>}
    </div>
  );
  return (
    <div class={isSame ? "both same" : "both"}>
      {side(before, "gone")}
      {side(after, "come")}
    </div>
  );
}
