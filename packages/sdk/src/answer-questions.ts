import { isAbort, type SessionId } from "@deputy/kit";
import type { PendingApproval, StreamId } from "@deputy/protocol";
import { resolveQuestion, toQuestion } from "./approvals.ts";
import type { Approve } from "./deputy.ts";
import type { EmbeddedEngine } from "./embedded-engine.ts";
import { SdkError } from "./sdk-error.ts";

/** Lets the embedding program's functions answer questions. */
export interface Questions {
  /** `approve` answers those of a session, until it is disposed. */
  answerBy(session: SessionId, approve: Approve | undefined): Disposable;
  /** Asks what is already waiting in a session. */
  askPending(session: SessionId): Promise<void>;
  /** Called when a question of the session could not be answered, until it is disposed. */
  onFailure(session: SessionId, tell: (error: SdkError) => void): Disposable;
}

/**
 * Watches every session of the engine, including those of tasks that an agent has started: a new question
 * goes to the session's own `approve`, or to the one for all. Ends with the signal.
 */
export function answerQuestions(
  engine: Pick<EmbeddedEngine, "log" | "approvals" | "clock" | "onBug">,
  forAll: Approve | undefined,
  signal: AbortSignal,
): Questions {
  const { log, approvals, onBug } = engine;
  const openedAt = new Date(engine.clock.now()).toISOString();
  const own = new Map<StreamId, Approve>();
  const asked = new Set<string>();
  const listeners = new Map<StreamId, Set<(error: SdkError) => void>>();

  const answer = async (pending: PendingApproval): Promise<void> => {
    const approve = own.get(pending.stream) ?? forAll;
    if (approve === undefined || asked.has(pending.id)) return;
    asked.add(pending.id);
    const over = new AbortController();
    const until = AbortSignal.any([signal, over.signal]);
    // The first answer, here or elsewhere, ends the question.
    const answered = approvals.wait(pending.id, until).finally(() => over.abort());
    answered.catch(() => undefined);
    try {
      const decision = await approve(toQuestion(pending), until);
      if (!until.aborted) await resolveQuestion(approvals, pending.id, decision);
    } catch (cause) {
      if (!until.aborted) fail(pending, cause);
    } finally {
      over.abort();
      asked.delete(pending.id);
    }
  };
  const fail = ({ stream, preview }: PendingApproval, cause: unknown): void => {
    const error =
      cause instanceof SdkError
        ? cause
        : new SdkError("approval_failed", `Nobody could answer “${preview.title}”: approve threw`, {
            cause,
            hint: "The cause says why. Nothing was approved.",
          });
    const told = listeners.get(stream);
    if (told === undefined || told.size === 0) onBug(error);
    else for (const tell of told) tell(error);
  };
  const askPending = async (stream: StreamId): Promise<void> => {
    for (const pending of await approvals.pending()) if (pending.stream === stream) void answer(pending);
  };
  const watch = async (): Promise<void> => {
    const types = ["approval.requested"] as const;
    for await (const { event } of log.subscribeAll({ types }, signal)) {
      if (event.at < openedAt) continue;
      await askPending(event.stream);
    }
  };
  watch().catch((error: unknown) => {
    if (!isAbort(error) && !signal.aborted) onBug(error);
  });

  return {
    answerBy(session, approve) {
      if (approve !== undefined) own.set(session, approve);
      return {
        [Symbol.dispose]() {
          if (own.get(session) === approve) own.delete(session);
        },
      };
    },
    askPending,
    onFailure(session, tell) {
      const told = listeners.get(session) ?? new Set();
      listeners.set(session, told.add(tell));
      return {
        [Symbol.dispose]() {
          told.delete(tell);
          if (told.size === 0) listeners.delete(session);
        },
      };
    },
  };
}
