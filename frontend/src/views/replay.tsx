import { useEffect, useRef, useState } from "preact/hooks";
import type { ViewProps } from "../app";
import { Notice } from "../parts/notice";
import { StateLink } from "../parts/statelink";
import { Stored } from "../parts/stored";
import { addressOf } from "../router";
import type { Live } from "../source";
import { titleOf } from "../words";

interface Status {
  status: "coming" | "there" | "elsewhere" | "over" | "failed";
  text: string;
  visible: boolean;
}

const SAID: Record<Status["status"], string> = {
  coming: "A browser is on its way…",
  there: "The browser is there. It is yours: click and type in the picture.",
  elsewhere: "The way led elsewhere: the application has changed since. The browser is yours all the same.",
  over: "The browser has ended.",
  failed: "That did not work.",
};

/** A real browser in a state, handed over to whoever looks at it. */
export function ReplayView({ source, crawl, place }: ViewProps) {
  const state = crawl.state(place.arguments[0] ?? "");
  const [status, setStatus] = useState<Status>({ status: "coming", text: "", visible: false });
  const [round, setRound] = useState(0);
  const screen = useRef<HTMLCanvasElement>(null);
  const socket = useRef<WebSocket | null>(null);
  const { live } = source;
  const words = place.parameters.getAll("mark");

  useEffect(() => {
    if (!live || !state) return;
    setStatus({ status: "coming", text: "", visible: false });
    socket.current = connect(live, state.id, words, screen, setStatus);
    return () => socket.current?.close();
  }, [state?.id, words.join(" "), round]);

  if (!live) {
    return (
      <Notice title="No browser here">
        <p>A report is files only. To bring a browser into a state: <code>statecrawl view DIR</code></p>
      </Notice>
    );
  }
  if (!state) return <Notice title="There is no such state"><p><a href="#/states">Show all states</a></p></Notice>;
  const isOver = status.status === "over" || status.status === "failed";
  return (
    <article class="page replay">
      <div class="bar">
        <h1>Replay of {titleOf(state)}</h1>
        <p class="actions">
          <button type="button" onClick={() => setRound(round + 1)}>{isOver ? "Replay again" : "Start over"}</button>
          <a class="button" href={addressOf("state", state.id)}>End</a>
        </p>
      </div>
      <p role="status" class={status.status === "failed" || status.status === "elsewhere" ? "bad" : "muted"}>
        {status.visible && status.status === "there" ? "The browser is there, in a window of its own. It is yours; it closes when you leave this page." : SAID[status.status]} {status.text}
      </p>
      {!status.visible && <Screen canvas={screen} send={(deed) => send(socket.current, deed)} />}
      {status.status === "elsewhere" && <Stored source={source} state={state} words={words} />}
      <p class="muted">State: <StateLink state={state} /></p>
    </article>
  );
}

function connect(live: Live, id: string, words: string[], screen: { current: HTMLCanvasElement | null }, onStatus: (status: Status) => void): WebSocket {
  const socket = live.replay(id, words);
  let last: Status["status"] = "coming";
  socket.binaryType = "blob";
  socket.onmessage = async ({ data }) => {
    if (typeof data === "string") {
      const status: Status = JSON.parse(data);
      last = status.status;
      onStatus(status);
      return;
    }
    const picture = await createImageBitmap(data);
    const canvas = screen.current;
    if (!canvas) return;
    canvas.width = picture.width;
    canvas.height = picture.height;
    canvas.getContext("2d")!.drawImage(picture, 0, 0);
    canvas.dataset.frames = String(Number(canvas.dataset.frames ?? 0) + 1);
  };
  socket.onclose = () => {
    if (last !== "failed" && last !== "over") onStatus({ status: "over", text: "", visible: false });
  };
  return socket;
}

type Deed = Record<string, string | number>;

function send(socket: WebSocket | null, deed: Deed): void {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(deed));
}

/** The picture of the browser; what is done to it is done there. */
function Screen({ canvas, send }: { canvas: { current: HTMLCanvasElement | null }; send(deed: Deed): void }) {
  const at = (event: MouseEvent): Deed => {
    const { width, height, left, top } = canvas.current!.getBoundingClientRect();
    return {
      x: ((event.clientX - left) * canvas.current!.width) / width,
      y: ((event.clientY - top) * canvas.current!.height) / height,
    };
  };
  const mouse = (kind: string) => (event: MouseEvent) => {
    send({ kind, ...at(event), button: event.button, clicks: event.detail });
    if (kind !== "move") event.preventDefault();
    if (kind === "down") canvas.current!.focus();
  };
  const key = (kind: string) => (event: KeyboardEvent) => {
    if (event.key === "Escape") return canvas.current!.blur();
    const modifiers = Number(event.altKey) + 2 * Number(event.ctrlKey) + 4 * Number(event.metaKey) + 8 * Number(event.shiftKey);
    send({ kind, key: event.key, code: event.code, number: event.keyCode, modifiers });
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="screen">
      <canvas
        ref={canvas}
        width={1280}
        height={720}
        class="stage-keys"
        tabIndex={0}
        role="application"
        aria-label="The browser: click and type here; Escape leaves it"
        onMouseDown={mouse("down")}
        onMouseUp={mouse("up")}
        onMouseMove={mouse("move")}
        onContextMenu={(event) => event.preventDefault()}
        onWheel={(event) => send({ kind: "wheel", ...at(event), dx: event.deltaX, dy: event.deltaY })}
        onKeyDown={key("keydown")}
        onKeyUp={key("keyup")}
      />
    </div>
  );
}
