// The buttons of the annotation page; each has a key.

import type { Answer, Pair } from "./asking";

const ANSWERS: [answer: Answer, key: string, meaning: string][] = [
  ["clone", "1", "nothing tells them apart"],
  ["near-duplicate", "2", "the same page with other data"],
  ["distinct", "3", "another page"],
];

interface Props {
  pair: Pair | null;
  canUndo: boolean;
  onSay(answer: Answer): void;
  onPass(): void;
  onUndo(): void;
}

export function Answers({ pair, canUndo, onSay, onPass, onUndo }: Props) {
  return (
    <footer class="answers">
      {ANSWERS.map(([answer, key, meaning]) => (
        <button
          type="button"
          class={`answer ${answer}`}
          disabled={!pair}
          aria-pressed={pair?.answer === answer}
          onClick={() => onSay(answer)}
        >
          <kbd>{key}</kbd> <strong>{answer}</strong> <span>{meaning}</span>
        </button>
      ))}
      <button type="button" disabled={!pair} onClick={onPass}><kbd>s</kbd> later</button>
      <button type="button" disabled={!canUndo} onClick={onUndo}><kbd>u</kbd> undo</button>
    </footer>
  );
}
