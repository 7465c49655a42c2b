// A canonical DOM as lines to read and to compare. It is text here, and stays text.

const TOKEN = /<(\/?)([^\s<>"=/]+)((?:\s[^\s<>"=]+="[^"]*")*)>|([^<]+)/g;
const VOID = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));
const LONGEST_INLINE = 100;

interface Token {
  kind: "open" | "close" | "text";
  tag: string;
  text: string;
}

function* tokens(dom: string): Generator<Token> {
  for (const match of dom.matchAll(TOKEN)) {
    const [whole, closing, tag = "", , text] = match;
    if (text !== undefined) {
      if (text.trim()) yield { kind: "text", tag: "", text: text.trim() };
    } else {
      yield { kind: closing ? "close" : "open", tag, text: whole };
    }
  }
}

/** One line for each tag and text; a short element with nothing but text is one line. */
export function linesOf(dom: string): string[] {
  const all = [...tokens(dom)];
  const lines: string[] = [];
  let depth = 0;
  const add = (text: string) => lines.push("  ".repeat(Math.min(depth, 30)) + text);
  for (let at = 0; at < all.length; at++) {
    const token = all[at]!;
    if (token.kind === "text") add(token.text);
    else if (token.kind === "close") {
      depth = Math.max(0, depth - 1);
      add(token.text);
    } else {
      const [next, afterNext] = [all[at + 1], all[at + 2]];
      if (next?.kind === "close" && !VOID.has(token.tag)) {
        add(token.text + next.text);
        at += 1;
      } else if (
        next?.kind === "text" && afterNext?.kind === "close" &&
        token.text.length + next.text.length < LONGEST_INLINE
      ) {
        add(token.text + next.text + afterNext.text);
        at += 2;
      } else {
        add(token.text);
        if (!VOID.has(token.tag)) depth++;
      }
    }
  }
  return lines;
}

export type Piece = [kind: "tag" | "name" | "value" | "text", text: string];

const PIECE = /(<\/?[^\s<>"=/]+|\/?>)|\s([^\s<>"=]+)=("[^"]*")/g;

/** The parts of a line, for colours. */
export function piecesOf(line: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of line.matchAll(PIECE)) {
    if (match.index > end) pieces.push(["text", line.slice(end, match.index)]);
    const [whole, tag, name, value] = match;
    if (tag) pieces.push(["tag", tag]);
    else pieces.push(["name", ` ${name}=`], ["value", value ?? ""]);
    end = match.index + whole.length;
  }
  if (end < line.length) pieces.push(["text", line.slice(end)]);
  return pieces;
}
