import { html, type TemplateResult } from "lit";
import { exactTime, shortTime } from "../text/times.ts";

/** A time as people say it, with the exact one on hover. */
export function timeText(at: string, nowMs: number): TemplateResult {
  return html`<time datetime=${at} title=${exactTime(at)}>${shortTime(at, nowMs)}</time>`;
}
