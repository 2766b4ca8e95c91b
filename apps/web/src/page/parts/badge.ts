import { html, nothing } from "lit";

/** How many wait for the reader; nothing for none. */
export function badge(number: number) {
  if (number === 0) return nothing;
  return html`<span class="badge">${number}<span class="for-screen-readers"> waiting</span></span>`;
}
