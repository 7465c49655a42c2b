import { useState } from "preact/hooks";

export function CopyButton({ text }: { text: string }) {
  const [said, setSaid] = useState("Copy");
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setSaid("Copied"),
      () => setSaid("Select the text and copy it"),
    );
  return <button type="button" onClick={copy}>{said}</button>;
}
