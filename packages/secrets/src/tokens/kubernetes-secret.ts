import { type Anchor, type Detect, MORE, NONE, type Span } from "../detector.ts";

const KIND = /\bkind:[ \t]*["']?secret\b/i;
const ENTRY =
  /(\s[\w.-]{1,100}:(?:[ \t]*[|>][-+]?\s{1,40})?[ \t]{0,40})(["']?[a-z0-9+/]{10,2048}={0,3}["']?|\{\{[^}\n]{0,100}\}\}|""|'')/gi;
/** From `data:` to the first entry, from there to `kind: Secret` when that comes last, and to the last entry. */
const NEAR_ENTRY = 140;
const NEAR_KIND = 420;
const LONGEST_DATA = 4_096;
const LOOK_BACK = 300;

/** The values under `data:` of a manifest of kind Secret, whatever they look like. */
export const kubernetesAnchor: Anchor = { literal: "data:", detect: detectKubernetesSecret };

function detectKubernetesSecret(...[view, at, end]: Parameters<Detect>): ReturnType<Detect> {
  const { text } = view;
  const data = text.slice(end, end + LONGEST_DATA);
  const near = data.slice(0, NEAR_ENTRY);
  ENTRY.lastIndex = 0;
  if (!/\s[\w.-]{1,100}:/.test(near)) return !view.isFinal && near.length < NEAR_ENTRY ? MORE : NONE;
  const isAfterKind = KIND.test(text.slice(Math.max(0, at - LOOK_BACK), at));
  const isBeforeKind = KIND.test(data.slice(0, NEAR_KIND));
  if (!isAfterKind && !isBeforeKind) return !view.isFinal && data.length < NEAR_KIND ? MORE : NONE;
  if (!view.isFinal && data.length < LONGEST_DATA) return MORE;
  const spans: Span[] = [];
  for (const found of data.matchAll(ENTRY)) {
    const start = end + found.index + (found[1] ?? "").length;
    spans.push({ start, end: start + (found[2] ?? "").length });
  }
  return spans.length === 0 ? NONE : { kind: "secret", spans };
}
