import { type EventLog, readEvent, type StreamId } from "@deputy/protocol";
import type { Firing } from "../tasks-view.ts";

/** The tool by which an agent says that its task is over for good. */
const FINISH_TOOL = "tasks.finish";

/** How a turn of a task ended: whether it said that the task is over, and what it said last. */
export interface TurnWords {
  readonly isFinished: boolean;
  /** Why it is over. */
  readonly reason: string | undefined;
  readonly message: string | undefined;
  readonly failure: string | undefined;
}

export async function readTurnWords(
  log: Pick<EventLog, "read">,
  stream: StreamId,
  { turnId, seq }: Pick<Firing, "turnId" | "seq">,
): Promise<TurnWords> {
  let isFinished = false;
  let reason: string | undefined;
  let message: string | undefined;
  let failure: string | undefined;
  for await (const stored of log.read(stream, { after: seq })) {
    if (stored.turnId !== turnId) continue;
    const read = readEvent(stored);
    if (read.kind !== "known") continue;
    const { event } = read;
    if (event.type === "assistant.message") message = event.data.text;
    else if (event.type === "turn.failed") failure = event.data.message;
    else if (event.type === "call.requested" && event.data.toolPath === FINISH_TOOL)
      reason = reasonIn(event.data.input);
    else if (event.type === "call.settled" && event.data.status === "succeeded")
      isFinished ||= event.data.toolPath === FINISH_TOOL;
  }
  return { isFinished, reason, message, failure };
}

function reasonIn(input: unknown): string | undefined {
  const [first] = Array.isArray(input) ? (input as unknown[]) : [input];
  if (typeof first !== "object" || first === null || !("reason" in first)) return undefined;
  return typeof first.reason === "string" ? first.reason : undefined;
}
