import { stoppedBy } from "@deputy/agent";
import { type TaskDetail, type ApprovalAnswer, readPlanCard, type TaskEvent } from "@deputy/protocol";
import type { TaskConnection, TaskFeed } from "@deputy/client";
import { EXIT, type ExitCode } from "./output/output.ts";
import { createKeyedLane, isAbort, openTaskGroup } from "@deputy/kit";
import type { DecisionBlock } from "./chat/chat-block.ts";
import type { Approver } from "./approver.ts";

/**
 * Follows the task to its end, and reports how it went. When it is stopped, it cancels the task and follows it to its
 * end, which is then near.
 */
export async function followUntilStopped(
  connection: TaskConnection,
  deps: Parameters<typeof followTask>[1],
  invocation: { readonly signal: AbortSignal; readonly onBug: (error: unknown) => void },
): Promise<{ readonly exit: ExitCode; readonly task: TaskDetail }> {
  const { signal, onBug } = invocation;
  // Not the invocation's: also what is left to do after a stop has to be done.
  const own = new AbortController();
  const cancel = (): void =>
    void connection.cancel(stoppedBy(signal), own.signal).catch((error: unknown) => {
      if (!own.signal.aborted) onBug(error);
    });
  if (signal.aborted) cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const exit = await followTask(connection, deps, own.signal);
    const task = await connection.ended(own.signal);
    return { exit: exit === EXIT.done && task.status !== "succeeded" ? EXIT.failed : exit, task };
  } finally {
    signal.removeEventListener("abort", cancel);
    own.abort();
  }
}

const MAX_QUESTIONS_WAITING = 1_000;

type ApprovalRequest = Extract<TaskEvent, { type: "approval_request" }>;

/** An event, and with an answer that was given here what it was: the event does not say how much of a plan it allows. */
export type ShowEvent = (event: TaskEvent, answered?: readonly DecisionBlock[]) => void;

/**
 * Shows a task until it ends, answering what it asks, one question at a time; a question that another
 * client answers first is dropped. Says how it went as an exit code.
 */
export async function followTask(
  feed: TaskFeed,
  deps: { readonly show: ShowEvent; readonly approver: Approver },
  signal: AbortSignal,
): Promise<ExitCode> {
  const questions = new Map<string, AbortController>();
  const terminal = createKeyedLane<"terminal">({ maxWaiting: MAX_QUESTIONS_WAITING });
  await using asking = openTaskGroup(signal);

  const given = new Map<string, DecisionBlock>();

  const ask = (request: ApprovalRequest): void => {
    const settled = new AbortController();
    questions.set(request.id, settled);
    asking.spawn(async (groupSignal) => {
      const open = AbortSignal.any([groupSignal, settled.signal]);
      try {
        let wrong: string | undefined;
        do {
          const before = wrong;
          const answer = await terminal.run("terminal", open, () =>
            deps.approver.answer(request, open, before),
          );
          given.set(request.id, decisionOf(request, answer));
          wrong = await feed.answer(request.id, answer, open);
        } while (wrong !== undefined);
      } catch (error) {
        if (!(settled.signal.aborted && isAbort(error))) throw error;
      }
    });
  };

  let exit: ExitCode = EXIT.done;
  for await (const event of feed.events(asking.signal)) {
    deps.show(event, event.type === "approval_resolved" ? answeredHere(given, event) : []);
    if (event.type === "approval_request") ask(event);
    if (event.type === "approval_resolved") questions.get(event.id)?.abort();
    exit = nextExit(exit, event);
  }
  return exit;
}

function decisionOf(request: ApprovalRequest, { decision, calls }: ApprovalAnswer): DecisionBlock {
  const of = readPlanCard(request)?.calls.length ?? 0;
  const part = calls === undefined || calls.length === of ? {} : { part: { approved: calls.length, of } };
  return { kind: "decision", id: request.id, decision, by: "terminal", ...part };
}

/** Another client's answer may have been first; if it decides the same, the two cannot be distinguished. */
function answeredHere(
  given: ReadonlyMap<string, DecisionBlock>,
  { id, decision }: Extract<TaskEvent, { type: "approval_resolved" }>,
): readonly DecisionBlock[] {
  const own = given.get(id);
  return own?.decision === decision ? [own] : [];
}

/** A denied call is also the reason why the rest failed, so a denial stays the exit code. */
function nextExit(exit: ExitCode, event: TaskEvent): ExitCode {
  if (event.type === "error" && exit === EXIT.done) return EXIT.failed;
  if (event.type === "tool_result" && event.status === "denied") return EXIT.denied;
  return exit;
}
