import { useState } from "preact/hooks";
import { linesOf, piecesOf } from "../source_lines";
import { plural } from "../words";

const MOST_LINES = 1500;

/** A DOM as coloured source text. */
export function Code({ dom }: { dom: string }) {
  const [showsAll, setShowsAll] = useState(false);
  const lines = linesOf(dom);
  const shown = showsAll ? lines : lines.slice(0, MOST_LINES);
  return (
    <div class="code" tabIndex={0} role="group" aria-label="DOM as source text">
      {shown.map((line) => <CodeLine line={line} />)}
      {shown.length < lines.length && (
        <button type="button" onClick={() => setShowsAll(true)}>
          Show {plural(lines.length - shown.length, "more line")}
        </button>
      )}
    </div>
  );
}

export function CodeLine({ line }: { line: string }) {
  const indent = line.length - line.trimStart().length;
  return (
    <div class="line" style={{ paddingLeft: `${indent + 2}ch`, textIndent: "-2ch" }}>
      {piecesOf(line.trimStart()).map(([kind, text]) => (kind === "text" ? text : <span class={kind}>{text}</span>))}
    </div>
  );
}
