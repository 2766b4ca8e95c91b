import { LOG_FULL } from "@deputy/codemode/sandbox";
import { cutText } from "@deputy/kit";
import type { CanonicalEvent, EventData } from "@deputy/protocol";
import { NOT_RUN } from "../cell/draft-cell.ts";
import { factsText } from "../ingress/facts-text.ts";
import { type Author, joinText, ours, type Part, type Text, textBy } from "../ingress/labelled-text.ts";
import { picturesIn } from "../pictures/picture-shelf.ts";
import { messageText } from "../ingress/message-text.ts";
import { recalledText } from "../ingress/recalled-text.ts";

/** Everything the log holds about one cell. */
export interface CellHistory {
  readonly checked?: EventData<"cell.checked">;
  readonly completed?: EventData<"cell.completed">;
  readonly calls: readonly EventData<"call.settled">[];
  /** The calls that ran because the user said yes, to each or to more at once. */
  readonly asked?: ReadonlySet<string>;
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
  const { error, result, cut, logs, logSources = [] } = cell.completed;
  const pictures = describePictures(cell, words);
  if (cell.isCall === true && error === undefined) {
    const given = [...describeCut(cut, words), ...shorten(asText(result), words)];
    return { text: joinText([given, ...pictures], LINE), isError: false };
  }
  const lines = [
    error === undefined ? describeResult(cell.completed, words) : describeFailure(error, cell, words),
  ];
  // A tool writes there what it likes; it is heard as its result would be.
  const wordsAt = (at: number): Words => {
    const source = logSources[at - (logs.length - logSources.length)];
    return source === undefined ? words : (quotedWords([source]) ?? words);
  };
  lines.push(...describeLog(logs, logs.length - logSources.length, wordsAt));
  if (cell.calls.length > 0 && cell.isCall !== true)
    lines.push(
      ours`Calls:`,
      // A program that failed has told nothing of what its calls gave, and some cannot be made again.
      ...(error === undefined
        ? describeRuns(cell, words)
        : cell.calls.map((call, at) => describeCall(cell, call, at, words, { withResult: true }))),
    );
  return { text: joinText([...lines, ...pictures], LINE), isError: error !== undefined };
}

/** A log that is not whole says so before its first line. */
function describeLog(logs: readonly string[], written: number, wordsAt: (at: number) => Words): Text[] {
  if (logs.length === 0) return [];
  const shown: Text[] = [];
  let left = SHOWN_CHARS;
  for (const [at, line] of logs.entries()) {
    left -= line.length;
    if (left >= 0) shown.push(ours`  ${wordsAt(at)(line)}`);
    else if (at === 0) shown.push(ours`  ${shorten(line, wordsAt(at))}`);
    else break;
  }
  const lines =
    shown.length < logs.length ? [ours`here are its first ${shown.length} of ${logs.length} lines`] : [];
  const full = logs[written - 1] === LOG_FULL ? [ours`it became full, and what followed was left out`] : [];
  const notes = [...lines, ...full];
  const head =
    notes.length === 0 ? ours`Log:` : ours`Log (${joinText(notes, ours`; `)}; log less, or return it):`;
  return [head, ...shown];
}

/** Whoever made a picture named it, and several may have one name: which call made it is said, where it is one of several. */
function describePictures({ calls, isCall }: CellHistory, words: Words): readonly Text[] {
  const names = calls.flatMap(({ attachments }, at) =>
    picturesIn(attachments).map(({ name }) => {
      const by = isCall === true ? [] : ours` of call ${at + 1}`;
      return ours`${words(JSON.stringify(name))}${by}`;
    }),
  );
  return names.length === 0 ? [] : [ours`Pictures, in this order: ${joinText(names, ours`, `)}`];
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
            : event.type === "turn.facts"
              ? factsText(event.data)
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

function describeResult({ result, cut }: EventData<"cell.completed">, words: Words): Text {
  if (result === undefined) return ours`It returned nothing.`;
  return ours`${describeCut(cut, words)}Result: ${shorten(JSON.stringify(result), words)}`;
}

/** Said before the result, so that nobody takes the part for the whole. */
function describeCut(cut: EventData<"cell.completed">["cut"], words: Words): Text {
  if (cut === undefined) return [];
  const { chars, items, parts = [] } = cut;
  const part =
    items === undefined ? describeParts(parts, words) : ours`only ${items.shown} of ${items.of} items`;
  return ours`The result has ${chars} characters; here is ${part}. For the rest return less: some items, some fields, or a count.\n`;
}

type CutParts = NonNullable<NonNullable<EventData<"cell.completed">["cut"]>["parts"]>;

const UNITS = { items: ours`items`, fields: ours`fields`, characters: ours`characters` } as const;

/** Whoever made the result named its fields. */
function describeParts(parts: CutParts, words: Words): Text {
  const [first] = parts;
  if (first === undefined || (first.path === "" && first.unit === "characters"))
    return ours`only its beginning`;
  const counted = parts.map(({ path, unit, shown, of }) =>
    path === ""
      ? ours`${shown} of ${of} ${UNITS[unit]}`
      : ours`${words(path)}: ${shown} of ${of} ${UNITS[unit]}`,
  );
  return parts.length === 1 && first.path === ""
    ? ours`only ${joinText(counted, [])}`
    : ours`only a part of it (${joinText(counted, ours`; `)})`;
}

/** Text as it is: escaped, declarations would cost half as much again. */
function asText(result: unknown): string {
  return typeof result === "string" ? result : (JSON.stringify(result) ?? "null");
}

function shorten(text: string, words: Words): Text {
  return text.length <= SHOWN_CHARS
    ? words(text)
    : ours`${words(cutText(text, SHOWN_CHARS))}… (${text.length} characters in all)`;
}

type Failure = NonNullable<EventData<"cell.completed">["error"]>;
type SettledCall = EventData<"call.settled">;

/** A no of the user is told as what the user said, not as what a tool answered. */
function describeFailure(error: Failure, { calls, isCall }: CellHistory, words: Words): Text {
  const { code, message, line } = error;
  // Of a single call the model has seen no program: there is no line, and nothing stopped.
  const where = line === undefined || isCall === true ? [] : ours` at line ${line}`;
  const declined = calls.findLast(({ error: no }) => no?.declined !== undefined && isUncaught(no, message));
  if (declined !== undefined && isCall === true) return describeDenied(declined, words);
  if (declined !== undefined) return ours`${describeNo(declined, words)} The program stopped there${where}.`;
  const uncaught = calls.findLast(({ error: one }) => one !== undefined && isUncaught(one, message))?.error;
  const hint = uncaught?.hint;
  if (isCall === true && uncaught !== undefined)
    return ours`It failed: ${words(uncaught.message)} (${words(uncaught.code)})${hintText(hint, words)}`;
  return ours`It failed${where}: ${words(message)} (${words(code)})${hintText(hint, words)}`;
}

/** The program did not catch it: its failure is the call's error, as a program shows it. */
function isUncaught(error: { readonly code: string; readonly message: string }, shown: string): boolean {
  return shown.endsWith(`${error.message} [${error.code}]`);
}

/** What to do next, in the words of whoever raised the error. */
function hintText(hint: string | undefined, words: Words): Text {
  return hint === undefined ? [] : ours` Hint: ${words(hint)}`;
}

/** Fewer calls in a row are listed one by one. */
const LEAST_RUN = 3;

/** Like calls in a row that succeeded are one line: a loop must not fill the prompt. */
function describeRuns(cell: CellHistory, words: Words): readonly Text[] {
  const { calls } = cell;
  const lines: Text[] = [];
  for (let at = 0; at < calls.length;) {
    const like = runFrom(cell, at);
    const [first] = like;
    if (first === undefined) break;
    if (like.length < LEAST_RUN)
      like.forEach((call, n) => lines.push(describeCall(cell, call, at + n, words, { withResult: false })));
    else {
      const total = like.reduce((sum, { durationMs }) => sum + durationMs, 0);
      lines.push(
        ours`  ${at + 1}. to ${at + like.length}. ${words(first.toolPath)} ${words(first.status)}${approved(cell, first)}, ${like.length} times (${Math.round(total)} ms)`,
      );
    }
    at += like.length;
  }
  return lines;
}

function runFrom({ calls, asked }: CellHistory, from: number): readonly SettledCall[] {
  const first = calls[from];
  const wasAsked = ({ callId }: SettledCall): boolean => asked?.has(callId) === true;
  const isLike = (call: SettledCall): boolean =>
    first !== undefined &&
    call.error === undefined &&
    call.toolPath === first.toolPath &&
    call.status === first.status &&
    wasAsked(call) === wasAsked(first);
  const end = calls.findIndex((call, at) => at >= from && !isLike(call));
  // One that failed stands for itself.
  return calls.slice(from, end < 0 ? calls.length : Math.max(end, from + 1));
}

/** So that the model can tell what the user agreed to. */
function approved({ asked }: CellHistory, { callId, status }: SettledCall): Text {
  return status === "succeeded" && asked?.has(callId) === true ? ours`, approved by the user` : [];
}

function describeCall(
  cell: CellHistory,
  call: SettledCall,
  index: number,
  words: Words,
  { withResult }: { readonly withResult: boolean },
): Text {
  const { error, preview } = call;
  const head = ours`  ${index + 1}. ${words(call.toolPath)} ${words(call.status)}${approved(cell, call)} (${Math.round(call.durationMs)} ms)`;
  if (error === undefined)
    return withResult && preview !== undefined ? ours`${head}, gave ${words(preview)}` : head;
  return error.declined === undefined
    ? ours`${head}: ${words(error.message)}${hintText(error.hint, words)}`
    : ours`${head}: ${describeNo(call, words)}`;
}

function describeNo({ toolPath, error }: SettledCall, words: Words): Text {
  const { call = toolPath, said } = error?.declined ?? {};
  const head = ours`The user declined ${words(call)}`;
  return said === undefined
    ? ours`${head}.`
    : ours`${head} and said: ${textBy({ kind: "user" }, inOneLine(said))}.`;
}

/** The same for a single call, which is answered as other assistants answer one: with the reason first. */
function describeDenied(settled: SettledCall, words: Words): Text {
  const { call = settled.toolPath, said } = settled.error?.declined ?? {};
  const no = ours`The user declined ${words(call)}.`;
  return said === undefined
    ? ours`Denied. ${no}`
    : ours`Denied: ${textBy({ kind: "user" }, inOneLine(said))}. ${no}`;
}

/** A reason of several lines must not look like lines of the report. */
function inOneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ").replace(/\.$/, "");
}

/** Whose text a session has read with an event, and is not trusted; what the assistant says later may repeat it. */
export function untrustedIn(event: CanonicalEvent): readonly string[] {
  if (event.type === "session.imported") return ["an imported file"];
  const labels =
    event.type === "call.settled" || event.type === "session.compacted" ? (event.data.labels ?? []) : [];
  return [
    ...labels.filter(({ trust }) => trust === "untrusted").map(({ source }) => source),
    ...othersIn(event).flatMap(({ by }) => (by.kind === "other" && by.weight === "text" ? [by.source] : [])),
  ];
}
