import { html } from "lit";
import { shown } from "./shown.ts";

/** Text of ours, in which `code` is marked. */
export function withCode(text: string): unknown {
  return text
    .split("`")
    .map((piece, at) => (at % 2 === 0 ? shown(piece) : html`<code>${shown(piece)}</code>`));
}
