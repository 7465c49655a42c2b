import { useEffect, useRef } from "preact/hooks";
import { KEYS } from "../keys";

export function Help({ onClose }: { onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="help-title">
      <h2 id="help-title">Keys</h2>
      <dl class="keys">
        {KEYS.map(([key, meaning]) => (
          <>
            <dt><kbd>{key}</kbd></dt>
            <dd>{meaning}</dd>
          </>
        ))}
      </dl>
      <p class="muted">Everything has an address: copy it to come back here, or to show a colleague.</p>
      <form method="dialog"><button>Close</button></form>
    </dialog>
  );
}
