import { createScriptDetector } from "./script-detector.ts";
import type { ScriptEvent, ScriptOutcome } from "./script-event.ts";

/** All events of a text that arrives in these chunks, with consecutive deltas joined. */
export function detect(chunks: string | readonly string[], maxCodeChars?: number): readonly ScriptEvent[] {
  const detector = createScriptDetector(maxCodeChars === undefined ? {} : { maxCodeChars });
  const list = typeof chunks === "string" ? [chunks] : chunks;
  return joined([...list.flatMap((chunk) => detector.push(chunk)), ...detector.end()]);
}

function joined(events: readonly ScriptEvent[]): readonly ScriptEvent[] {
  const all: ScriptEvent[] = [];
  for (const event of events) {
    const last = all.at(-1);
    if (event.kind === "text" && last?.kind === "text") {
      all[all.length - 1] = { kind: "text", text: last.text + event.text };
    } else if (event.kind === "script_delta" && last?.kind === "script_delta") {
      all[all.length - 1] = { kind: "script_delta", code: last.code + event.code };
    } else all.push(event);
  }
  return all;
}

/** The text as the events tell it. */
export function rebuild(events: readonly ScriptEvent[]): string {
  return events
    .map((event) => {
      if (event.kind === "text") return event.text;
      return event.kind === "script_delta" ? event.code : event.tag;
    })
    .join("");
}

export function outcomesOf(events: readonly ScriptEvent[]): readonly ScriptOutcome[] {
  return events.flatMap((event) => (event.kind === "script_ended" ? [event.outcome] : []));
}

/** The code of every script that may run. */
export function codesOf(text: string): readonly string[] {
  return outcomesOf(detect(text)).flatMap((outcome) => (outcome.kind === "complete" ? [outcome.code] : []));
}

/** The one outcome of a text with one script in it. */
export function outcomeOf(text: string, maxCodeChars?: number): ScriptOutcome | undefined {
  const outcomes = outcomesOf(detect(text, maxCodeChars));
  return outcomes.length === 1 ? outcomes[0] : undefined;
}

/** Cuts a text at these places, those beyond its end left out. */
export function cutAt(text: string, places: readonly number[]): readonly string[] {
  const cuts = [...new Set([0, ...places.filter((place) => place < text.length), text.length])].sort(
    (a, b) => a - b,
  );
  return cuts.slice(1).map((end, index) => text.slice(cuts[index], end));
}
