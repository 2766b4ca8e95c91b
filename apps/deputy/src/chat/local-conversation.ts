import { SuspendRequest } from "@deputy/agent";
import type { SessionEntry } from "@deputy/agent/sessions";
import { AppError } from "../app-error.ts";
import type { Engine } from "../engine.ts";
import { TERMINAL_CHANNEL } from "@deputy/client/terminal-key";
import { untilStopped } from "@deputy/kit";
import type { Conversation } from "@deputy/client";

/** The parts of an engine that a conversation needs. */
export type TalkingEngine = Pick<Engine, "log" | "conversations" | "approvals" | "onBug">;

/** A session whose turns run in this process. `channel`: how messages and answers come. */
export async function talkIn(
  engine: TalkingEngine,
  session: SessionEntry,
  channel: string = TERMINAL_CHANNEL,
): Promise<Conversation> {
  const { log, conversations } = engine;
  const { id } = session;
  const headSeq = async (): Promise<number> => (await log.head(id))?.seq ?? 0;

  const stopped = async (by: string): Promise<void> => {
    const runId = conversations.openRun(id);
    if (runId === undefined) return;
    try {
      await conversations.abort(runId, by);
    } catch (error) {
      // The log accepts no end any more; the next start continues the turn.
      if (!(error instanceof SuspendRequest)) throw error;
    }
  };

  return {
    session,
    openedAtSeq: await headSeq(),
    headSeq,
    items: (signal) => log.subscribe(id, {}, signal),
    async say(text, _signal, quoted = []) {
      await conversations.send({ session: id, text, quoted, channel, sender: "owner", trust: "user" });
    },
    isBusy: () => conversations.openRun(id) !== undefined,
    idle: (signal) => untilStopped(conversations.idle(id), signal),
    stop: (by) => void stopped(by).catch(engine.onBug),
    async leave(by) {
      await stopped(by);
      await conversations.idle(id);
      return "ended";
    },
    async answer(approvalId, answer) {
      const outcome = await engine.approvals.resolve(approvalId, answer, channel);
      if (outcome.kind === "invalid") throw new AppError("usage", outcome.message);
    },
  };
}
