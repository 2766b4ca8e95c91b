import type { Notice } from "@deputy/protocol";
import { element } from "./element.ts";
import { marked } from "./hidden-marks.ts";

/** Shows the notifications, newest first. Hides the section when there are none. */
export function showNotices(section: HTMLElement, notices: readonly Notice[]): void {
  section.hidden = notices.length === 0;
  section.querySelector("ul")?.replaceChildren(...notices.map(item));
}

function item({ at, from, text }: Notice): HTMLLIElement {
  const time = new Date(at).toLocaleString([], { dateStyle: "short", timeStyle: "short" });
  return element(
    "li",
    {},
    element("p", { class: "hint" }, ...marked(from), ` · ${time}`),
    element("p", { class: "notice" }, ...marked(text)),
  );
}
