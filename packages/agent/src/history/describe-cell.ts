import type { CanonicalEvent, EventData } from "@deputy/protocol";
import { NOT_RUN } from "../cell/draft-cell.ts";
import { type Author, joinText, ours, type Part, type Text, textBy } from "../ingress/labelled-text.ts";
import { messageText } from "../ingress/message-text.ts";
import { recalledText } from "../ingress/recalled-text.ts";

/** Everything the log holds about one cell. */
export interface CellHistory {
  readonly checked?: EventData<"cell.checked">;
  readonly completed?: EventData<"cell.completed">;
  readonly calls: readonly EventData<"call.settled">[];
  /** It was a single call that the model made, not a program it wrote. */
  readonly isCall?: boolean;
}

const SHOWN_CHARS = 20_000;
const LINE = ours`\n`;

/** Describes how a cell ended, for the model. The text depends on the log only, so that it is the same every time. */
export function describeCell(cell: CellHistory): { readonly text: Text; readonly isError: boolean } {
  const words = wordsOf(cell);
  const diagnostics = cell.checked?.diagnostics ?? [];
  const refusal = diagnostics.find(({ code }) => code === NOT_RUN);
  if (refusal !== undefined) return { text: ours`Nothing was run. ${words(refusal.message)}`, isError: true };
  if (diagnostics.length > 0) {
    const { quotes } = cell.checked ?? {};
    const quoted = quotes === undefined ? UNKNOWN_TYPES : (quotedWords(quotes) ?? words);
    const problems = diagnostics.map(
      (d) => ours`line ${d.line}, column ${d.column} (${words(d.code)}): ${quoted(d.message)}`,
    );
    const text = joinText([ours`The program does not typecheck; nothing was run.`, ...problems], LINE);
    return { text, isError: true };
  }
  if (cell.completed === undefined) {
    const text = ours`The program was interrupted; calls that were running may have taken effect.`;
    return { text, isError: true };
  }
  const { error, result, logs, logSources = [] } = cell.completed;
  if (cell.isCall === true && error === undefined)
    return { text: shorten(asText(result), words), isError: false };
  const lines = [error === undefined ? describeResult(result, words) : describeFailure(error, cell, words)];
  // A tool writes there what it likes; it is heard as its result would be.
  const wordsAt = (at: number): Words => {
    const source = logSources[at - (logs.length - logSources.length)];
    return source === undefined ? words : (quotedWords([source]) ?? words);
  };
  if (logs.length > 0) lines.push(ours`Log:`, ...logs.map((line, at) => ours`  ${wordsAt(at)(line)}`));
  if (cell.calls.length > 0 && cell.isCall !== true)
    lines.push(ours`Calls:`, ...cell.calls.map((call, at) => describeCall(call, at, words)));
  return { text: joinText(lines, LINE), isError: error !== undefined };
}

type Words = (text: string) => Text;

/** What somebody else wrote in what an event brings into a prompt, besides the results of calls. */
export function othersIn(event: CanonicalEvent): readonly Part[] {
  const text =
    event.type === "user.message"
      ? messageText(event.data)
      : event.type === "cell.checked"
        ? describeCell({ checked: event.data, calls: [] }).text
        : event.type === "cell.completed"
          ? describeCell({ completed: event.data, calls: [] }).text
          : event.type === "memory.recalled"
            ? recalledText(event.data)
            : [];
  return text.filter(({ by }) => by.kind === "other");
}

/** What a program gives is made of what its calls gave. Provenance knows those values from the calls themselves. */
function wordsOf({ calls }: CellHistory): Words {
  const sources = calls.flatMap(({ labels }) => labels.filter(({ trust }) => trust === "untrusted"));
  const by: Author = { kind: "derived", from: [...new Set(sources.map(({ source }) => source))] };
  return (text) => textBy(by, text);
}

/** Words of others that are in no result of a call. Undefined if there are no others. */
function quotedWords(sources: readonly string[]): Words | undefined {
  if (sources.length === 0) return undefined;
  return (text) => textBy({ kind: "other", source: sources.join(", "), weight: "text" }, text);
}

/** Older logs do not say whose types a check quotes: what is in it explains nothing. */
const UNKNOWN_TYPES: Words = (text) =>
  textBy({ kind: "other", source: "the types of tools", weight: "names" }, text);

function describeResult(result: unknown, words: Words): Text {
  if (result === undefined) return ours`It returned nothing.`;
  return ours`Result: ${shorten(JSON.stringify(result), words)}`;
}

/** Text as it is: escaped, declarations would cost half as much again. */
function asText(result: unknown): string {
  return typeof result === "string" ? result : (JSON.stringify(result) ?? "null");
}

function shorten(text: string, words: Words): Text {
  return text.length <= SHOWN_CHARS
    ? words(text)
    : ours`${words(text.slice(0, SHOWN_CHARS))}… (${text.length} characters in all)`;
}

type Failure = NonNullable<EventData<"cell.completed">["error"]>;
type SettledCall = EventData<"call.settled">;

/** A no of the user is told as what the user said, not as what a tool answered. */
function describeFailure(error: Failure, { calls }: CellHistory, words: Words): Text {
  const { code, message, line } = error;
  const where = line === undefined ? [] : ours` at line ${line}`;
  const declined = calls.findLast(({ error: no }) => no?.declined !== undefined && isUncaught(no, message));
  if (declined !== undefined) return ours`${describeNo(declined, words)} The program stopped there${where}.`;
  return ours`It failed${where}: ${words(message)} (${words(code)})`;
}

/** The program did not catch it: its failure is the call's error, as a program shows it. */
function isUncaught(error: { readonly code: string; readonly message: string }, shown: string): boolean {
  return shown.endsWith(`${error.message} [${error.code}]`);
}

function describeCall(call: SettledCall, index: number, words: Words): Text {
  const { error } = call;
  const head = ours`  ${index + 1}. ${words(call.toolPath)} ${words(call.status)} (${Math.round(call.durationMs)} ms)`;
  if (error === undefined) return head;
  return ours`${head}: ${error.declined === undefined ? words(error.message) : describeNo(call, words)}`;
}

function describeNo({ toolPath, error }: SettledCall, words: Words): Text {
  const { call = toolPath, said } = error?.declined ?? {};
  const head = ours`The user declined ${words(call)}`;
  return said === undefined
    ? ours`${head}.`
    : ours`${head} and said: ${textBy({ kind: "user" }, inOneLine(said))}.`;
}

/** A reason of several lines must not look like lines of the report. */
function inOneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ").replace(/\.$/, "");
}
