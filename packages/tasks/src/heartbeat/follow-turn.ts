import type { TurnId } from "@deputy/kit";
import { type EventLog, readEvent, type StreamId } from "@deputy/protocol";
import { TasksError } from "../tasks-error.ts";

/** How a turn ended; `text`: its last words. */
export type TurnEnd =
  | { readonly kind: "completed"; readonly text: string }
  | { readonly kind: "failed" }
  | { readonly kind: "aborted" };

/** Waits for the end of a turn that begins after `seq`. Rejects with the signal's reason, and when the log closes. */
export async function followTurn(
  log: Pick<EventLog, "subscribe">,
  turn: { readonly stream: StreamId; readonly turnId: TurnId; readonly seq: number },
  signal: AbortSignal,
): Promise<TurnEnd> {
  let said: string[] = [];
  for await (const item of log.subscribe(turn.stream, { after: turn.seq }, signal)) {
    if (item.kind !== "event" || item.event.turnId !== turn.turnId) continue;
    const read = readEvent(item.event);
    if (read.kind !== "known") continue;
    const { event } = read;
    switch (event.type) {
      // What was said before a program is about what it was going to do.
      case "cell.submitted":
        said = [];
        break;
      case "assistant.message":
        if (event.data.text !== "") said.push(event.data.text);
        break;
      case "turn.completed":
        return { kind: "completed", text: said.join("\n\n") };
      case "turn.failed":
        return { kind: "failed" };
      case "turn.aborted":
        return { kind: "aborted" };
      default:
    }
  }
  signal.throwIfAborted();
  throw new TasksError("shutting_down", "The log was closed before the turn had its end.");
}
