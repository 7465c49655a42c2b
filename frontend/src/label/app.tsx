// The annotation page: two pages side by side, and what they are to each other.

import "./label.css";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Notice } from "../parts/notice";
import { ThemeButton } from "../parts/theme";
import { plural } from "../words";
import { type Answer, answer, type Desk, nextPair, onePair, restIsDistinct, type Said, undo } from "./asking";
import { Answers } from "./answers";
import { PairView, type Shown } from "./pair";

const KEYS: Record<string, Answer> = { 1: "clone", 2: "near-duplicate", 3: "distinct", c: "clone", n: "near-duplicate", d: "distinct" };
const MANY = 15;

export function LabelApp() {
  const [desk, setDesk] = useState<Desk | null>(null);
  const [error, setError] = useState("");
  const [name, setName] = useState<string | null>(null);
  const [shown, setShown] = useState<Shown>("pictures");
  const passed = useRef<[string, string][]>([]);
  const isBusy = useRef(false);
  const me = name ?? desk?.me ?? "";

  // One thing at a time: what is pressed meanwhile was meant for the pair that is there no more.
  const take = async (ask: () => Promise<Desk>) => {
    if (isBusy.current) return;
    isBusy.current = true;
    try {
      setDesk(await ask());
      setError("");
    } catch (failure) {
      setError((failure as Error).message);
    } finally {
      isBusy.current = false;
    }
  };
  const states = desk?.pair?.pages.map((page) => page.state) as [string, string] | undefined;
  const say = (said: Answer) =>
    states &&
    take(async () => {
      const told = await answer(...states, said, me);
      return passed.current.length ? nextPair(passed.current) : told;
    });
  const pass = () =>
    states &&
    take(() => {
      passed.current = [...passed.current, states].slice(-200);
      return nextPair(passed.current);
    });
  const back = () => desk?.can_undo && take(() => undo(me));

  useEffect(() => {
    void take(() => nextPair([]));
  }, []);
  useEffect(() => {
    if (desk) document.title = `Label ${desk.name} · statecrawl`;
  }, [desk?.name]);
  // Before anything is painted, so that no key meets the pair that was there before.
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || (event.target as HTMLElement).closest("input")) return;
      const said = KEYS[event.key];
      if (said) void say(said);
      else if (event.key === "s") void pass();
      else if (event.key === "u" || event.key === "Backspace") void back();
      else if (event.key === "t") setShown(shown === "texts" ? "pictures" : "texts");
      else if (event.key === "x") setShown(shown === "difference" ? "pictures" : "difference");
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  });

  return (
    <>
      <header class="labelling">
        <span class="brand"><img src="icon.svg" alt="" width="22" height="22" /><span>statecrawl</span></span>
        <p class="subject">{desk?.name ?? ""}</p>
        {desk && <Progress desk={desk} />}
        <label class="who">
          You are <input type="text" value={me} maxLength={80} onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <ThemeButton />
      </header>
      {error && <p class="stale" role="alert">{error}</p>}
      {desk && desk.pair && desk.distinct_in_a_row >= MANY && (
        <p class="suggestion" role="status">
          The last {desk.distinct_in_a_row} answers were all distinct, and what is left looks less alike.{" "}
          <button type="button" onClick={() => take(() => restIsDistinct(me))}>All the rest is distinct</button>
        </p>
      )}
      <main id="view" class="view-label" tabIndex={-1}>
        {desk?.pair && <PairView pair={desk.pair} shown={shown} onShow={setShown} />}
        {desk && !desk.pair && (
          <Notice title="Every pair has an answer">
            <p>{plural(desk.told, "answer")} of people, {(desk.known - desk.told).toLocaleString("en")} more that follow from them.</p>
            <p>Go on with: <code>statecrawl calibrate</code></p>
          </Notice>
        )}
        {desk && <SaidList said={desk.said} onOpen={(each) => take(() => onePair(each.one, each.other))} />}
      </main>
      <Answers pair={desk?.pair ?? null} canUndo={desk?.can_undo ?? false} onSay={say} onPass={pass} onUndo={back} />
    </>
  );
}

function Progress({ desk }: { desk: Desk }) {
  const inferred = desk.known - Math.min(desk.told, desk.known);
  return (
    <div class="progress">
      <progress value={desk.known} max={desk.pairs || 1} aria-label="Pairs with an answer" />
      <span>
        {desk.known.toLocaleString("en")} of {plural(desk.pairs, "pair")}: {desk.told.toLocaleString("en")} told, {inferred.toLocaleString("en")} inferred
      </span>
    </div>
  );
}

function SaidList({ said, onOpen }: { said: Said[]; onOpen(each: Said): void }) {
  if (!said.length) return null;
  return (
    <section class="said" aria-label="Who said what">
      <h2>Who said what</h2>
      <ol>
        {said.map((each) => (
          <li>
            <button type="button" onClick={() => onOpen(each)}>
              <span class={`answer ${each.answer}`}>{each.answer}</span>
              <code>{each.one.slice(0, 12)} {each.other.slice(0, 12)}</code>
              <span class="muted">{each.by || "unknown"}</span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
