import type { SessionEntry } from "@deputy/agent/sessions";
import type { TurnId } from "@deputy/kit";
import { readEvent, type StoredEvent } from "@deputy/protocol";
import type { QuotedText } from "@deputy/tasks";
import { ClientError } from "../client-error.ts";
import type { DaemonLink } from "../daemon-link.ts";
import { untilStopped } from "@deputy/kit";
import type { Conversation } from "./conversation.ts";

const TURN_ENDS: ReadonlySet<string> = new Set(["turn.completed", "turn.failed", "turn.aborted"]);
const never = new AbortController().signal;
/** How long a stop may take to get through when the person leaves. */
const LEAVE_MS = 2_000;

/** A message that came while another was being sent from here. */
interface Said {
  readonly text: string;
  readonly turnId: TurnId | undefined;
}

/**
 * A session whose turns run in the daemon. Its state comes from its events: `isBusy`, `idle` and `headSeq`
 * reflect what `items` has given, so `items` must be read. One reader at a time.
 */
export function talkThrough(
  link: Pick<DaemonLink, "call" | "follow">,
  session: SessionEntry,
  openedAtSeq: number,
): Conversation {
  const { id: stream } = session;
  const open = new Set<TurnId>();
  /** Runs that answer messages from here, without any event yet. */
  const expected = new Set<TurnId>();
  let seq = 0;
  let headSeq = openedAtSeq;
  let connections = 0;
  /** Messages on their way, and what came meanwhile. */
  let asking = 0;
  let said: Said[] = [];
  let stopping: Promise<unknown> = Promise.resolve();
  let moved = Promise.withResolvers<void>();

  const changed = (): void => {
    moved.resolve();
    moved = Promise.withResolvers<void>();
  };
  const until = async (isSo: () => boolean, signal: AbortSignal): Promise<void> => {
    while (!isSo()) await untilStopped(moved.promise, signal);
  };
  const isBusy = (): boolean => open.size > 0 || expected.size > 0;
  const take = (stored: StoredEvent): void => {
    ({ seq } = stored);
    const { turnId, type } = stored;
    if (turnId !== undefined) {
      expected.delete(turnId);
      if (TURN_ENDS.has(type)) open.delete(turnId);
      else if (type === "user.message" || type === "turn.started") open.add(turnId);
    }
    const read = asking === 0 ? undefined : readEvent(stored);
    if (read?.kind === "known" && read.event.type === "user.message")
      said.push({ text: read.event.data.text, turnId });
  };

  const send = async (text: string, signal: AbortSignal, quoted: readonly QuotedText[]): Promise<void> => {
    try {
      const request = { sessionKey: stream, message: text, quoted: [...quoted] };
      const { runId } = await link.call("chat.send", request, "once", signal);
      // Its events may arrive before its answer.
      if (!open.has(runId) && !said.some(({ turnId }) => turnId === runId)) expected.add(runId);
    } catch (error) {
      if (!isGone(error)) throw error;
      await checkTaken(text, signal);
    }
  };
  /** The connection broke before the answer: the log shows whether it was accepted, once we have caught up. */
  const checkTaken = async (text: string, signal: AbortSignal): Promise<void> => {
    const before = connections;
    await until(() => connections > before && seq >= headSeq, signal);
    if (said.some((one) => one.text === text)) return;
    throw new ClientError("daemon_gone", "The daemon stopped before it saved that message. Send it again.");
  };

  const stop = (): void => {
    const aborts = [...open, ...expected].map((runId) =>
      link.call("chat.abort", { runId }, "safe_to_repeat", never),
    );
    stopping = Promise.allSettled([stopping, ...aborts]);
  };

  return {
    session,
    openedAtSeq,
    async *items(signal) {
      for await (const item of link.follow(stream, 0, signal)) {
        if (item.kind === "head") {
          connections += 1;
          headSeq = Math.max(headSeq, item.seq);
        } else if (item.kind === "event") {
          take(item.event);
          yield item;
          // A connection also gets the runs of other sessions.
        } else if (open.has(item.delta.turnId)) yield item;
        changed();
      }
    },
    headSeq: async () => Math.max(headSeq, seq),
    async say(text, signal, quoted = []) {
      asking += 1;
      try {
        await send(text, signal, quoted);
      } finally {
        asking -= 1;
        if (asking === 0) said = [];
        changed();
      }
    },
    isBusy,
    idle: (signal) => until(() => !isBusy(), signal),
    stop,
    async leave() {
      await untilStopped(stopping, AbortSignal.timeout(LEAVE_MS)).catch(() => undefined);
      return isBusy() ? "goes_on" : "ended";
    },
    async answer(approvalId, { decision, scope, expiresAt, calls, reason, result }) {
      const answered =
        decision === "approved"
          ? link.call(
              "exec.approve",
              { approvalId, scope, expiresAt, calls, reason, result },
              "safe_to_repeat",
              never,
            )
          : link.call("exec.deny", { approvalId, reason, result }, "safe_to_repeat", never);
      await answered.catch((error: unknown) => {
        if (!(error instanceof ClientError && error.code === "already_decided")) throw error;
      });
    },
  };
}

function isGone(error: unknown): boolean {
  return error instanceof ClientError && error.code === "daemon_gone";
}
