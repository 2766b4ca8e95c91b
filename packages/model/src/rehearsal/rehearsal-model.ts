import type { Model, ModelEvent, ModelMessage, ModelRef, ModelTool } from "../model.ts";
import { HOW_TO_CONNECT, type RehearsalAnswer, reportProgram } from "./rehearsal-answer.ts";

const HONEST_SENTENCE =
  "I am the rehearsal model: no language model is connected, so I cannot understand this request. " +
  "I can do two things. Say “Close all issues older than 90 days”, and I play that on a demo tracker, so that " +
  "you see how Deputy works; “Tell me how many people have subscribed every day at 5pm” and a few others become " +
  "tasks. Or put TypeScript into a ```ts block, and I run it with your tools. " +
  HOW_TO_CONNECT;

const NO_PROGRAMS =
  "I am the rehearsal model, and I act only by programs, which the mode of this agent does not allow. " +
  HOW_TO_CONNECT;

/**
 * The embedded default without a key. It says openly what it is: it runs fenced TypeScript and plays a few
 * examples, through the same turn as any model, and otherwise says how to connect one. Its answer depends
 * only on the request.
 */
export function createRehearsalModel(ref: ModelRef): Model {
  return {
    ref,
    async *stream(request, signal): AsyncGenerator<ModelEvent> {
      signal.throwIfAborted();
      const { text, call } = withinOffer(
        await answerTo(withoutNotes(request.messages.filter(isSaid))),
        request.tools,
      );
      if (text !== "") yield { kind: "text", text };
      if (call !== undefined) {
        const id = `rehearsal_${request.messages.length}`;
        yield { kind: "tool_call", id, name: call.name, inputJson: JSON.stringify(call.input) };
      }
      yield { kind: "usage", usage: { inputTokens: 0, outputTokens: 0 } };
      yield { kind: "stop", reason: call === undefined ? "end" : "tool_calls" };
    },
  };
}

/** True for all but the facts of a turn, which are below what the user said. */
function isSaid(message: ModelMessage): boolean {
  return message.role !== "user" || !message.text.startsWith("Deputy says: it is ");
}

const NOTE = "[Not written by the user; a note of Deputy's:]";
const isNote = (message: ModelMessage | undefined): boolean =>
  message?.role === "user" && message.text.slice(0, 300).includes(NOTE);

/** Without what other tasks reported beside a request or while it was carried out: only the request is played. */
function withoutNotes(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  return messages.filter((message, at) => {
    if (!isNote(message)) return true;
    const before = messages.slice(0, at).findLast((one) => !isNote(one));
    const after = messages.slice(at).find((one) => !isNote(one));
    return before?.role !== "user" && before?.role !== "tool" && after?.role !== "user";
  });
}

async function answerTo(messages: readonly ModelMessage[]): Promise<RehearsalAnswer> {
  const at = messages.findLastIndex(({ role }) => role === "user");
  const said = messages[at];
  const before = messages[at - 1];
  const answer = await answerSaid({
    said: said?.role === "user" ? said.text : "",
    before: before?.role === "user" ? before.text : "",
    since: messages.slice(at + 1),
  });
  if (at !== messages.length - 1 || messages[at - 1]?.role !== "tool") return answer;
  // The user spoke while a program ran: its outcome is still reported.
  const earlier = await answerTo(messages.slice(0, at));
  return earlier.call === undefined ? { ...answer, text: `${earlier.text}\n\n${answer.text}` } : answer;
}

/** The last message, what came with it, and what has been done about it. */
interface Said {
  readonly said: string;
  readonly before: string;
  readonly since: readonly ModelMessage[];
}

async function answerSaid({ said, before, since }: Said): Promise<RehearsalAnswer> {
  const heartbeat = playHeartbeat(said);
  if (heartbeat !== undefined) return heartbeat;
  const code = findFencedCode(said);
  if (code === undefined) {
    const { playExample } = await import("./play-example.ts");
    const played = playExample(said, before, since);
    if (played !== undefined) return played;
  }
  const last = since.at(-1);
  if (last?.role === "tool") {
    const text = last.results.map((result) => result.text).join("\n\n");
    return { text: reportProgram({ text, isError: last.results.some(({ isError }) => isError) }) };
  }
  if (code === undefined) return { text: HONEST_SENTENCE };
  return { text: "Running your program.", call: { name: "run_code", input: { code } } };
}

/** A call that was not offered would fail the turn. */
function withinOffer(answer: RehearsalAnswer, tools: readonly ModelTool[]): RehearsalAnswer {
  const needed = answer.call === undefined ? [] : ["run_code", answer.call.name];
  const isOffered = needed.every((wanted) => tools.some(({ name }) => name === wanted));
  return isOffered ? answer : { text: NO_PROGRAMS };
}

/** The TypeScript in a message's first closed code fence marked `ts`, `typescript`, `js` or `javascript`. */
export function findFencedCode(text: string): string | undefined {
  const lines = text.split(/\r?\n/);
  for (let start = 0; start < lines.length; start++) {
    const open = /^ {0,3}(`{3,}|~{3,})\s*(?:ts|typescript|js|javascript)\s*$/i.exec(lines[start] ?? "");
    const fence = open?.[1];
    if (fence === undefined) continue;
    const close = new RegExp(`^ {0,3}${fence[0]}{${fence.length},}\\s*$`);
    const end = lines.findIndex((line, at) => at > start && close.test(line));
    if (end > start) return lines.slice(start + 1, end).join("\n");
  }
  return undefined;
}

const PROMPT = "[Deputy's heartbeat;";
const REMINDERS = "Reminders that were set are due:";
const NOTHING_TO_TELL = "HEARTBEAT_OK";

/**
 * The answer to a heartbeat: reminders are repeated as they were set, and nothing else, because a script
 * cannot check anything. Undefined if the prompt is not a heartbeat's.
 */
function playHeartbeat(said: string): RehearsalAnswer | undefined {
  if (!said.startsWith(PROMPT)) return undefined;
  const [, list] = said.split(`${REMINDERS}\n\n`);
  if (list === undefined) return { text: NOTHING_TO_TELL };
  // The last paragraph says what to do about them.
  return { text: list.split("\n\n").slice(0, -1).join("\n\n").replaceAll(/^- /gm, "") };
}
