import { html, type TemplateResult } from "lit";
import { exactTime, shortTime, shortTimes } from "../text/times.ts";

/** A time as people say it, with the exact one on hover. */
export function timeText(at: string, nowMs: number): TemplateResult {
  return html`<time datetime=${at} title=${exactTime(at)}>${shortTime(at, nowMs)}</time>`;
}

/** Times beside each other, which never look the same. */
export function timeTexts(all: readonly string[], nowMs: number): readonly TemplateResult[] {
  const said = shortTimes(all, nowMs);
  return all.map((at, index) => html`<time datetime=${at} title=${exactTime(at)}>${said[index]}</time>`);
}
