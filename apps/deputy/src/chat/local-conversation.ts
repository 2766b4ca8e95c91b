import { StopRequest, type Turn, type TurnOutcome } from "@deputy/agent";
import type { SessionEntry } from "@deputy/agent/sessions";
import { createKeyedLane, type TurnId } from "@deputy/kit";
import { EventLogError, readEvent, type NewEvent, type StoredEvent } from "@deputy/protocol";
import { quotedMessage, type QuotedText } from "@deputy/tasks";
import type { Engine } from "../engine.ts";
import { TERMINAL_CHANNEL } from "../terminal-key.ts";
import { untilStopped } from "../until-stopped.ts";
import type { Conversation } from "./conversation.ts";

/** What of an engine it takes to talk. */
export type TalkingEngine = Pick<Engine, "log" | "ids" | "turns" | "approvals">;

interface Said {
  readonly text: string;
  readonly quoted: readonly QuotedText[];
}

interface Work {
  readonly turnId: TurnId;
  readonly stop: AbortController;
  readonly done: Promise<TurnOutcome>;
}

const MAX_MESSAGES_WAITING = 20;
const TURN_ENDS: ReadonlySet<string> = new Set(["turn.completed", "turn.failed", "turn.aborted"]);

export interface TalkingOptions {
  /** By which door messages and answers come. */
  readonly channel?: string;
  /** Aborted with a `SuspendRequest`, turns stop where they are, for a later process to go on with. */
  readonly suspend?: AbortSignal;
}

/** A session whose turns run in this process. `left`: its last turn, interrupted, is gone on with. */
export async function talkIn(
  engine: TalkingEngine,
  session: SessionEntry,
  left: Turn | undefined,
  { channel = TERMINAL_CHANNEL, suspend }: TalkingOptions = {},
): Promise<Conversation> {
  const { log, ids } = engine;
  const { id: stream, agentId, key: sessionKey } = session;
  const speaking = createKeyedLane<"say">({ maxWaiting: MAX_MESSAGES_WAITING });
  const headSeq = async (): Promise<number> => (await log.head(stream))?.seq ?? 0;
  const openedAtSeq = await headSeq();
  let work: Work | undefined;
  let chain: Promise<void> = Promise.resolve();

  const begin = (turnId: TurnId): void => {
    const stop = new AbortController();
    if (suspend?.aborted === true) stop.abort(suspend.reason);
    const turn = { stream, turnId, agentId, sessionKey };
    const current = { turnId, stop, done: engine.turns.run(turn, stop.signal) };
    work = current;
    chain = follow(current);
    // Told to whoever asks `idle`.
    chain.catch(() => undefined);
  };
  const follow = async ({ turnId, done }: Work): Promise<void> => {
    try {
      const outcome = await done;
      // Said while the turn was ending: it has not heard that.
      const missed = outcome.kind === "completed" && (await hasUnheard(turnId));
      if (missed) begin(ids.next("turn"));
    } finally {
      if (work?.turnId === turnId) work = undefined;
    }
    if (work !== undefined) await chain;
  };
  const ofTurn = async (turnId: TurnId): Promise<readonly StoredEvent[]> => {
    const events = await Array.fromAsync(log.read(stream));
    return events.slice(
      Math.max(
        events.findIndex((event) => event.turnId === turnId),
        0,
      ),
    );
  };
  const hasUnheard = async (turnId: TurnId): Promise<boolean> => {
    let saidSeq = 0;
    let heardSeq = 0;
    for (const stored of await ofTurn(turnId)) {
      const read = readEvent(stored);
      if (read.kind !== "known") continue;
      const { event } = read;
      if (event.type === "user.message") saidSeq = event.seq;
      if (event.type === "assistant.message" || event.type === "cell.submitted")
        heardSeq = event.data.answer?.throughSeq ?? heardSeq;
    }
    return saidSeq > heardSeq;
  };
  const message = ({ text, quoted }: Said, turnId: TurnId): readonly NewEvent[] => {
    const said = { text, attachments: [], channel, sender: "owner", trust: "user" as const };
    return [
      ...quoted.map((one) => quotedMessage(one, { channel, turnId })),
      { type: "user.message", turnId, data: said },
    ];
  };
  /** Only into a turn that has no end: what stands behind one would seem to begin it anew. */
  const steer = async (said: Said, turnId: TurnId): Promise<"said" | "ended"> => {
    for (;;) {
      const events = await ofTurn(turnId);
      if (events.some((event) => event.turnId === turnId && TURN_ENDS.has(event.type))) return "ended";
      try {
        await log.append(stream, message(said, turnId), { expectedSeq: events.at(-1)?.seq ?? 0 });
        return "said";
      } catch (error) {
        if (!(error instanceof EventLogError && error.code === "conflict")) throw error;
      }
    }
  };

  suspend?.addEventListener("abort", () => work?.stop.abort(suspend.reason), { once: true });
  const stop = (by: string): void => work?.stop.abort(new StopRequest(by));

  if (left !== undefined) begin(left.turnId);
  return {
    session,
    openedAtSeq,
    headSeq,
    items: (signal) => log.subscribe(stream, {}, signal),
    say: (text, signal, quoted = []) =>
      speaking.run("say", signal, async () => {
        const said = { text, quoted };
        if (work !== undefined && (await steer(said, work.turnId)) === "said") return;
        await chain.catch(() => undefined);
        const turnId = ids.next("turn");
        await log.append(stream, message(said, turnId));
        begin(turnId);
      }),
    isBusy: () => work !== undefined,
    idle: (signal) => untilStopped(chain, signal),
    stop,
    async leave(by) {
      stop(by);
      await chain;
      return "ended";
    },
    async answer(id, answer) {
      await engine.approvals.resolve(id, answer, channel);
    },
  };
}
