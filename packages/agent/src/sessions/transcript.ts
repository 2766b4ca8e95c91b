import type { SessionId } from "@deputy/kit";
import {
  type CanonicalEvent,
  type EventData,
  type EventLog,
  type Failure,
  readEvent,
} from "@deputy/protocol";
import { senderOf } from "../ingress/message-text.ts";
import { copyOf } from "./event-copy.ts";

/** One line of a session as a person reads it; `seq` finds the event behind it. */
export type TranscriptLine = { readonly timestamp: string; readonly seq: number } & (
  | ({ readonly type: "session"; readonly id: SessionId } & EventData<"session.started">)
  | ({
      readonly role: "user";
      readonly content: string;
      readonly channel: string;
      readonly sender: string;
    } & Attached &
      Foreign)
  | { readonly role: "assistant"; readonly content: string }
  /** A program, as `run_code`, or one call of one tool. */
  | ({ readonly role: "tool_use"; readonly content: string } & ToolRef)
  | ({ readonly role: "tool_result"; readonly content: string; readonly error?: Failure } & ToolRef &
      Attached &
      Foreign)
  | { readonly type: "approval"; readonly callId: string; readonly decision: string; readonly by: string }
  | ({ readonly type: "compaction" } & Pick<
      EventData<"session.compacted">,
      "fromSeq" | "throughSeq" | "summary" | "archive"
    > &
      Foreign)
  | { readonly type: "turn"; readonly outcome: "failed" | "aborted"; readonly error: Failure }
);

/** Files that came with it, by their place in the blob store; absent if there are none. */
interface Attached {
  readonly attachments?: EventData<"call.settled">["attachments"];
}

/** Whose words are in it, besides the user's and the agent's own; absent if nobody's. */
interface Foreign {
  readonly foreign?: readonly string[];
}

interface ToolRef {
  readonly toolName: string;
  /** Pairs a use with its result. */
  readonly callId: string;
}

type Content = TranscriptLine extends infer Line
  ? Line extends unknown
    ? Omit<Line, "timestamp" | "seq">
    : never
  : never;

/** Everything that was said and done, in order, whole and as the log has it; events of newer versions are passed over. */
export async function* readTranscript(
  log: Pick<EventLog, "read">,
  session: SessionId,
  signal: AbortSignal,
): AsyncGenerator<TranscriptLine> {
  /** Cells made from a single call: the call itself says it all. */
  const single = new Set<string>();
  for await (const stored of log.read(session)) {
    signal.throwIfAborted();
    const read = readEvent(stored);
    if (read.kind !== "known") continue;
    const { event } = read;
    if (event.type === "cell.submitted" && event.data.call !== undefined) single.add(event.data.cellId);
    const content = describe(event, single);
    if (content === undefined) continue;
    yield { timestamp: copyOf(event)?.at ?? event.at, seq: event.seq, ...content };
  }
}

function describe(event: CanonicalEvent, single: ReadonlySet<string>): Content | undefined {
  switch (event.type) {
    case "session.started":
      return { type: "session", id: event.stream as SessionId, ...event.data };
    case "user.message": {
      const { text, channel, sender, trust } = event.data;
      const foreign = trust === "user" ? {} : { foreign: [senderOf(event.data)] };
      return {
        role: "user",
        content: text,
        channel,
        sender,
        ...attached(event.data.attachments),
        ...foreign,
      };
    }
    case "assistant.message":
      return event.data.text === "" ? undefined : { role: "assistant", content: event.data.text };
    case "cell.submitted":
    case "cell.checked":
    case "cell.completed":
      return single.has(event.data.cellId) ? undefined : describeProgram(event);
    case "call.requested": {
      const { toolPath, callId, input } = event.data;
      return { role: "tool_use", toolName: toolPath, callId, content: JSON.stringify(input) ?? "" };
    }
    case "call.settled": {
      const { toolPath, callId, status, preview, error, labels } = event.data;
      const failure = error === undefined ? {} : { error };
      const content = preview ?? status;
      const more = { ...failure, ...attached(event.data.attachments), ...foreignIn(labels) };
      return { role: "tool_result", toolName: toolPath, callId, content, ...more };
    }
    case "approval.resolved": {
      const { approvalId, decision, by } = event.data;
      return { type: "approval", callId: approvalId, decision, by };
    }
    case "session.compacted": {
      const { fromSeq, throughSeq, summary, archive, labels } = event.data;
      return { type: "compaction", fromSeq, throughSeq, summary, archive, ...foreignIn(labels) };
    }
    case "turn.failed": {
      const { code, message } = event.data;
      return { type: "turn", outcome: "failed", error: { code, message } };
    }
    case "turn.aborted":
      return { type: "turn", outcome: "aborted", error: { code: "aborted", message: `by ${event.data.by}` } };
    default:
      return undefined;
  }
}

function attached(given: EventData<"call.settled">["attachments"]): Attached {
  const attachments = given.map(({ blobId, mimeType, name }) => ({ blobId, mimeType, name }));
  return attachments.length === 0 ? {} : { attachments };
}

function foreignIn(labels: EventData<"session.compacted">["labels"] = []): Foreign {
  const sources = labels.filter(({ trust }) => trust === "untrusted").map(({ source }) => source);
  return sources.length === 0 ? {} : { foreign: [...new Set(sources)] };
}

type CellEvent = Extract<CanonicalEvent, { type: "cell.submitted" | "cell.checked" | "cell.completed" }>;

function describeProgram(event: CellEvent): Content | undefined {
  const ref = { toolName: "run_code", callId: event.data.cellId };
  if (event.type === "cell.submitted") return { role: "tool_use", ...ref, content: event.data.code };
  if (event.type === "cell.completed") {
    const { logs, result, error } = event.data;
    const shown = result === undefined ? logs : [...logs, JSON.stringify(result)];
    const failure = error === undefined ? {} : { error };
    return { role: "tool_result", ...ref, content: shown.join("\n"), ...failure };
  }
  const problems = event.data.diagnostics.map(({ line, message }) => `line ${line}: ${message}`);
  if (problems.length === 0) return undefined;
  const error = { code: "typecheck_failed", message: "It does not typecheck; nothing ran." };
  return { role: "tool_result", ...ref, content: problems.join("\n"), error };
}
