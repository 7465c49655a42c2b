import type { Mark } from "../documents";

/** A text with some places marked; the places count characters, as Python does. */
export function FoundText({ text, marks }: { text: string; marks: Mark[] }) {
  const characters = Array.from(text);
  const piece = (from: number, to?: number) => characters.slice(from, to).join("");
  let at = 0;
  return (
    <>
      {marks.map(([start, end]) => {
        const before = piece(at, start);
        at = end;
        return <>{before}<mark>{piece(start, end)}</mark></>;
      })}
      {piece(at)}
    </>
  );
}

/** A text with some words marked, wherever they stand. */
export function WordsMarked({ text, words }: { text: string; words: string[] }) {
  const wanted = new Set(words);
  const parts: [part: string, isWord: boolean][] = [];
  let at = 0;
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu)) {
    if (!wanted.has(known(word))) continue;
    parts.push([text.slice(at, index), false], [word, true]);
    at = index + word.length;
  }
  return <>{parts.map(([part, isWord]) => (isWord ? <mark>{part}</mark> : part))}{text.slice(at)}</>;
}

function known(word: string): string {
  return word.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase().normalize("NFKC");
}
