import type { Model, ModelEvent, ModelMessage, ModelRef, ModelTool } from "../model.ts";
import { playCloseIssues } from "./close-issues-play.ts";
import { parseCloseIssues } from "./close-issues-request.ts";
import { playJudgeMail } from "./judge-mail-play.ts";
import { type LaterRequest, parseLater } from "./later-request.ts";
import { playMeasure } from "./measure-play.ts";
import { playNewTask } from "./new-task-play.ts";
import { playHeartbeat } from "./heartbeat-play.ts";
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
 * The embedded default when no key is set. It is honest about what it is: it runs fenced TypeScript and
 * plays a few examples, through the same turn as any model would, and otherwise says how to connect one. What
 * it answers depends on the request alone.
 */
export function createRehearsalModel(ref: ModelRef): Model {
  return {
    ref,
    async *stream(request, signal): AsyncGenerator<ModelEvent> {
      signal.throwIfAborted();
      const { text, call } = withinOffer(answerTo(request.messages), request.tools);
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

function answerTo(messages: readonly ModelMessage[]): RehearsalAnswer {
  const at = messages.findLastIndex(({ role }) => role === "user");
  const said = messages[at];
  const before = messages[at - 1];
  const answer = answerSaid({
    said: said?.role === "user" ? said.text : "",
    before: before?.role === "user" ? before.text : "",
    since: messages.slice(at + 1),
  });
  if (at !== messages.length - 1 || messages[at - 1]?.role !== "tool") return answer;
  // The user spoke while a program ran: its outcome is still reported.
  const earlier = answerTo(messages.slice(0, at));
  return earlier.call === undefined ? { ...answer, text: `${earlier.text}\n\n${answer.text}` } : answer;
}

/** What was said last, what came along with it, and what has been done about it. */
interface Said {
  readonly said: string;
  readonly before: string;
  readonly since: readonly ModelMessage[];
}

function answerSaid({ said, before, since }: Said): RehearsalAnswer {
  const heartbeat = playHeartbeat(said);
  if (heartbeat !== undefined) return heartbeat;
  const code = findFencedCode(said);
  const example = code === undefined ? parseCloseIssues(said) : undefined;
  if (example !== undefined) return playCloseIssues(example, since);
  const later = code === undefined ? parseLater(said) : undefined;
  if (later !== undefined) return playLater(later, before, since);
  const last = since.at(-1);
  if (last?.role === "tool") {
    const text = last.results.map((result) => result.text).join("\n\n");
    return { text: reportProgram({ text, isError: last.results.some(({ isError }) => isError) }) };
  }
  if (code === undefined) return { text: HONEST_SENTENCE };
  return { text: "Running your program.", call: { name: "run_code", input: { code } } };
}

function playLater(request: LaterRequest, before: string, since: readonly ModelMessage[]): RehearsalAnswer {
  if (request.kind === "set") return playNewTask(request, since);
  if (request.kind === "judge") return playJudgeMail(request.run, before, since);
  return playMeasure(request.request, request.run, since);
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
