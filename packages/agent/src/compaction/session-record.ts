import { shorten } from "@deputy/kit";
import type { AssistantPart } from "@deputy/model";
import type { EventData } from "@deputy/protocol";
import { type HistoryPart, isScriptResult } from "../history/history.ts";
import {
  type Author,
  joinText,
  leastTrusted,
  ours,
  plainText,
  type Text,
  textBy,
} from "../ingress/labelled-text.ts";
import { isFacts } from "../ingress/facts-text.ts";
import { isRecalled } from "../ingress/recalled-text.ts";
import type { PromptMessage } from "../ingress/prompt.ts";
import { authorOfSummary } from "./summary-frame.ts";

/** One thing that was said or done. */
export interface RecordEntry {
  readonly from: "earlier summary" | "user" | "assistant" | "program" | "result";
  readonly text: string;
  /** Whose words it is; of several, the least trusted. */
  readonly by: Author;
}

/** The material of a summary: the earlier summary, and what has happened since. */
export function listEntries(
  earlier: Pick<EventData<"session.compacted">, "summary" | "labels"> | undefined,
  parts: readonly HistoryPart[],
): RecordEntry[] {
  return [
    ...(earlier === undefined
      ? []
      : [{ from: "earlier summary" as const, text: earlier.summary, by: authorOfSummary(earlier) }]),
    // The messages that are kept are older than the end of the earlier summary, which covers them.
    ...parts
      .filter(({ kind }) => kind === "said" || kind === "answered")
      .flatMap(({ messages }) => messages.flatMap(entriesOf)),
  ];
}

const ENTRY_CHARS = [4_000, 1_000, 250] as const;

/**
 * One JSON object per line, so that no text can pass for a line of its own. Long entries are cut, the more
 * the less room there is; then the oldest are left out, and it says so. The earlier summary always stays whole.
 */
export function formatRecord(entries: readonly RecordEntry[], maxChars: number): Text {
  const lines = ENTRY_CHARS.map((chars) => entries.map((entry) => formatEntry(entry, chars)));
  const fitting = lines.find((some) => sizeOf(some) <= maxChars);
  if (fitting !== undefined) return joinText(fitting, ours`\n`);
  const shortest = lines.at(-1) ?? [];
  const head = entries[0]?.from === "earlier summary" ? 1 : 0;
  let size = sizeOf(shortest) + sizeOf([noteOf(shortest.length)]);
  let from = head;
  for (; from < shortest.length && size > maxChars; from++) size -= sizeOf(shortest.slice(from, from + 1));
  return joinText([...shortest.slice(0, head), noteOf(from - head), ...shortest.slice(from)], ours`\n`);
}

function noteOf(leftOut: number): Text {
  return ours`{"note":"${leftOut} entries are left out here"}`;
}

function formatEntry({ from, text, by }: RecordEntry, chars: number): Text {
  const shown = from === "earlier summary" ? text : shorten(text, chars);
  return textBy(
    by.kind === "deputy" ? { kind: "derived", from: [] } : by,
    JSON.stringify({ from, text: shown }),
  );
}

function sizeOf(lines: readonly Text[]): number {
  return lines.reduce((sum, line) => sum + plainText(line).length + 1, 0);
}

function entriesOf(message: PromptMessage): RecordEntry[] {
  if (message.role === "assistant") return message.parts.flatMap(entryOfPart);
  if (message.role === "tool") return message.results.map(({ text }) => entryOf("result", text));
  // It is still in the memory, or stated anew; neither is the user's word.
  if (isRecalled(message.text) || isFacts(message.text)) return [];
  return [entryOf(isScriptResult(message.text) ? "result" : "user", message.text)];
}

function entryOf(from: RecordEntry["from"], text: Text): RecordEntry {
  return { from, text: plainText(text), by: leastTrusted(text) };
}

/** Its reasoning is its own, and already acted upon. */
function entryOfPart(part: AssistantPart): RecordEntry[] {
  if (part.kind === "reasoning") return [];
  if (part.kind === "text") return [{ from: "assistant", text: part.text, by: { kind: "model" } }];
  return [{ from: "program", text: `${part.name} ${part.inputJson}`, by: { kind: "model" } }];
}
