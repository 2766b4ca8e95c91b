import { createKeyedLane, isAbort, openTaskGroup } from "@deputy/kit";
import type { TaskEvent } from "@deputy/protocol";
import type { TaskFeed } from "../client/task-connection.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { Approver } from "./approver.ts";

const MAX_QUESTIONS_WAITING = 1_000;

/**
 * Shows a task until it ends, answering what it asks, one question at a time; a question that another
 * client answers first is dropped. Says how it went as an exit code.
 */
export async function followTask(
  feed: TaskFeed,
  deps: { readonly show: (event: TaskEvent) => void; readonly approver: Approver },
  signal: AbortSignal,
): Promise<ExitCode> {
  const questions = new Map<string, AbortController>();
  const terminal = createKeyedLane<"terminal">({ maxWaiting: MAX_QUESTIONS_WAITING });
  await using asking = openTaskGroup(signal);

  const ask = (request: Extract<TaskEvent, { type: "approval_request" }>): void => {
    const settled = new AbortController();
    questions.set(request.id, settled);
    asking.spawn(async (groupSignal) => {
      const open = AbortSignal.any([groupSignal, settled.signal]);
      try {
        const answer = await terminal.run("terminal", open, () => deps.approver.answer(request, open));
        await feed.answer(request.id, answer, open);
      } catch (error) {
        if (!(settled.signal.aborted && isAbort(error))) throw error;
      }
    });
  };

  let exit: ExitCode = EXIT.done;
  for await (const event of feed.events(asking.signal)) {
    deps.show(event);
    if (event.type === "approval_request") ask(event);
    if (event.type === "approval_resolved") questions.get(event.id)?.abort();
    exit = nextExit(exit, event);
  }
  return exit;
}

/** What was denied is also why the rest failed: a denial stays the answer. */
function nextExit(exit: ExitCode, event: TaskEvent): ExitCode {
  if (event.type === "error" && exit === EXIT.done) return EXIT.failed;
  if (event.type === "tool_result" && event.status === "denied") return EXIT.denied;
  return exit;
}
