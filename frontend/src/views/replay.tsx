import type { ViewProps } from "../app";
import { Notice } from "../parts/notice";

export function ReplayView(_: ViewProps) {
  return <Notice title="Replay" />;
}
