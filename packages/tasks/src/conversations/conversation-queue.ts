import {
  type ApprovalDesk,
  findOpenTurnIn,
  readOpenTurns,
  SuspendRequest,
  type Turn,
  type TurnRunner,
} from "@deputy/agent";
import type { SessionReader } from "@deputy/agent/sessions";
import { type IdSource, openTaskGroup, type SessionId, type TurnId } from "@deputy/kit";
import { type EventLog, EventLogError, type NewEvent, type StreamId } from "@deputy/protocol";
import { TasksError } from "../tasks-error.ts";
import { callsOff } from "./calls-off.ts";
import type { ConversationMessage, Conversations, Sent } from "./conversations.ts";
import { quotedMessage } from "./quoted-text.ts";

export interface ConversationLimits {
  /**
   * Messages that may wait for a model, in all sessions together. One session may fill it; beyond it, a
   * quarter as many places are kept for others, one for each session in which nothing waits yet.
   */
  readonly waitingMessages: number;
  /** How many turns run in parallel. Turns that wait for the user do not count. */
  readonly runningTurns: number;
  /** Runs that are remembered as ended. */
  readonly rememberedRuns: number;
}

export const DEFAULT_CONVERSATION_LIMITS: ConversationLimits = {
  waitingMessages: 20,
  runningTurns: 20,
  rememberedRuns: 1_000,
};

/** What an answer to a question can carry. */
const LONGEST_REASON = 2_000;

/**
 * Turns of sessions: one at a time in each, and a limited number in parallel. Sessions wait in order of
 * arrival, each with one place in that line, however many messages it has.
 */
export function createConversationQueue(deps: {
  readonly log: EventLog;
  readonly ids: IdSource;
  readonly turns: TurnRunner;
  readonly sessions: Pick<SessionReader, "find">;
  /** Questions that a message can withdraw. Absent: none. */
  readonly approvals?: Pick<ApprovalDesk, "pending" | "resolve">;
  readonly limits?: Partial<ConversationLimits>;
  /** Called for bugs and for a log that failed, because no turn's outcome can carry them. */
  readonly onBug: (error: unknown) => void;
  readonly signal: AbortSignal;
}): Conversations {
  const { log, ids } = deps;
  const limits = { ...DEFAULT_CONVERSATION_LIMITS, ...deps.limits };
  const group = openTaskGroup(deps.signal);
  const suspend = new AbortController();
  group.signal.addEventListener("abort", () => suspend.abort(new SuspendRequest()), { once: true });
  /** The open turn of each session; further ones, which only an earlier process can have left, wait behind it. */
  const open = new Map<StreamId, OpenTurn>();
  const waiting: OpenTurn[] = [];
  const running = new Set<OpenTurn>();
  /** Those of them that can only wait for the user. */
  const asking = new Set<OpenTurn>();
  const endedRuns = new Set<TurnId>();
  /** Sessions whose open turn, if an earlier process left one, is known here. */
  const recalled = new Set<StreamId>();
  /** The sessions of messages that have a place and that their turn does not count yet, one entry for each. */
  const reserved: StreamId[] = [];
  const keptForOthers = Math.floor(limits.waitingMessages / 4);

  const unread = (): number => [...open.values()].reduce((sum, turn) => sum + turn.unread(), reserved.length);
  const hasUnread = (stream: StreamId): boolean =>
    reserved.includes(stream) || (open.get(stream)?.unread() ?? 0) > 0;
  const placesFor = (stream: StreamId): number =>
    limits.waitingMessages + (hasUnread(stream) ? 0 : keptForOthers);

  const remember = (runId: TurnId): void => {
    endedRuns.add(runId);
    const [oldest] = endedRuns;
    if (endedRuns.size > limits.rememberedRuns && oldest !== undefined) endedRuns.delete(oldest);
  };

  const forget = (entry: OpenTurn): void => {
    if (open.get(entry.turn.stream) === entry) open.delete(entry.turn.stream);
    entry.setOver();
  };

  /**
   * A turn that waits for the user does not hold up others. Once answered, it continues, even if the limit is
   * reached by then.
   */
  const noteWaiting =
    (entry: OpenTurn) =>
    (isWaiting: boolean): void => {
      if (isWaiting) asking.add(entry);
      else asking.delete(entry);
      advance();
    };

  const carryOut = async (entry: OpenTurn): Promise<void> => {
    try {
      await deps.turns.run({ ...entry.turn, onWaiting: noteWaiting(entry) }, suspend.signal);
      remember(entry.turn.turnId);
    } catch (error) {
      if (!(error instanceof SuspendRequest)) deps.onBug(error);
    }
    running.delete(entry);
    asking.delete(entry);
    forget(entry);
    advance();
  };

  const begin = (entry: OpenTurn): void => {
    running.add(entry);
    entry.begin();
    group.spawn(() => carryOut(entry));
  };

  const advance = (): void => {
    while (!group.signal.aborted && running.size - asking.size < limits.runningTurns) {
      const at = waiting.findIndex(({ turn }) => !isBusy(turn.stream));
      const [next] = at < 0 ? [] : waiting.splice(at, 1);
      if (next === undefined) return;
      open.set(next.turn.stream, next);
      begin(next);
    }
  };
  const isBusy = (stream: StreamId): boolean => [...running].some(({ turn }) => turn.stream === stream);

  const refuseWhenStopping = (): void => {
    if (group.signal.aborted)
      throw new TasksError("shutting_down", "Deputy is shutting down; the message was not taken.");
  };

  /** Takes one of the places, until `release`. */
  const reserve = async (stream: StreamId): Promise<void> => {
    if (unread() >= limits.waitingMessages) for (const entry of running) await entry.refresh(log);
    if (unread() >= placesFor(stream))
      throw new TasksError("too_many_messages", "Messages limit reached", {
        hint: `${limits.waitingMessages} messages already wait for an answer; try again when some have one.`,
      });
    reserved.push(stream);
  };
  const release = (stream: StreamId): void => void reserved.splice(reserved.indexOf(stream), 1);

  const newTurnIn = async (id: SessionId): Promise<Turn> => {
    const session = await deps.sessions.find(id);
    if (session === undefined) throw new TasksError("unknown_session", "There is no such session.");
    if (session.isTask)
      throw new TasksError("session_of_task", "That session belongs to a task.", {
        hint: `\`deputy sessions fork ${id}\` makes one that you can go on with.`,
      });
    return { stream: id, turnId: ids.next("turn"), agentId: session.agentId, sessionKey: session.key };
  };

  const enlist = (entry: OpenTurn): void => {
    if (waiting.includes(entry) || running.has(entry)) return;
    waiting.push(entry);
    advance();
  };

  /** A turn that an earlier process left in this session comes before new ones. */
  const recall = async (turn: Turn): Promise<void> => {
    if (recalled.has(turn.stream)) return;
    const turnId = await findOpenTurnIn(log, turn.stream);
    if (turnId !== undefined && !recalled.has(turn.stream) && !open.has(turn.stream)) {
      const left = createOpenTurn({ ...turn, turnId });
      open.set(turn.stream, left);
      enlist(left);
    }
    recalled.add(turn.stream);
  };

  /** The session's open turn, or this one, newly opened. */
  const openTurnFor = (turn: Turn): OpenTurn => {
    const known = open.get(turn.stream);
    if (known !== undefined) return known;
    const entry = createOpenTurn(turn);
    open.set(turn.stream, entry);
    return entry;
  };

  const append = async (entry: OpenTurn, message: ConversationMessage): Promise<number> => {
    const {
      text,
      said,
      attachments = [],
      quoted = [],
      before = [],
      channel,
      sender,
      trust,
      messageKey,
    } = message;
    const own = { ...(said !== undefined && { said }), ...(messageKey !== undefined && { messageKey }) };
    const data = { text, attachments: [...attachments], channel, sender, trust, ...own };
    const { stream, turnId } = entry.turn;
    const inTurn = (event: NewEvent): NewEvent => ({ ...event, turnId });
    const stored = (
      await log.append(stream, [
        ...before.map(inTurn),
        ...quoted.map((one) => quotedMessage(one, { channel, turnId })),
        { type: "user.message", turnId, data },
      ])
    ).at(-1);
    if (stored === undefined) throw new Error("The log took a message and gave nothing back");
    return stored.seq;
  };

  /**
   * A message that calls off what is being asked about withdraws those questions: its words are the user's
   * reason. No message says yes. The outcome of a running call is still reported: no word undoes it.
   */
  const withdraw = async (message: ConversationMessage): Promise<void> => {
    if (deps.approvals === undefined || message.trust !== "user" || !callsOff(message.text)) return;
    const reason = message.text.slice(0, LONGEST_REASON);
    for (const { id, stream, unknownCall } of await deps.approvals.pending())
      if (stream === message.session && unknownCall === undefined)
        await deps.approvals.resolve(id, { decision: "denied", reason }, message.sender);
  };

  /**
   * Adds the message to the session's turn. A turn that ends at that moment takes none: then the message
   * starts the next one.
   */
  const join = async (turn: Turn, message: ConversationMessage): Promise<Sent> => {
    try {
      await recall(turn);
    } catch (error) {
      release(turn.stream);
      throw error;
    }
    for (;;) {
      if (group.signal.aborted) release(turn.stream);
      refuseWhenStopping();
      const entry = openTurnFor(turn);
      if (entry.isClosed()) {
        // A message that comes while a turn is being stopped belongs to the next one.
        await entry.over;
        continue;
      }
      try {
        const joined = entry.join(() => append(entry, message));
        // From here on the turn counts it.
        release(turn.stream);
        const seq = await joined;
        await withdraw(message);
        enlist(entry);
        return { runId: entry.turn.turnId, stream: message.session, seq };
      } catch (error) {
        if (entry.unread() === 0 && !waiting.includes(entry) && !running.has(entry)) forget(entry);
        if (!(error instanceof EventLogError && error.code === "turn_ended")) throw error;
        reserved.push(turn.stream);
        await entry.over;
      }
    }
  };

  return {
    async send(message) {
      refuseWhenStopping();
      const turn = await newTurnIn(message.session);
      await reserve(turn.stream);
      return await join(turn, message);
    },
    async abort(runId, by) {
      const entry = [...open.values(), ...waiting].find(({ turn }) => turn.turnId === runId);
      if (entry === undefined) return { kind: endedRuns.has(runId) ? "already_ended" : "unknown" };
      const at = waiting.indexOf(entry);
      if (at >= 0) waiting.splice(at, 1);
      entry.close();
      await deps.turns.stop(entry.turn, by);
      remember(runId);
      if (!running.has(entry)) forget(entry);
      await entry.over;
      return { kind: "aborted" };
    },
    openRun: (session) => open.get(session)?.turn.turnId,
    async resume(session) {
      await recall(await newTurnIn(session));
      return open.get(session)?.turn.turnId;
    },
    async idle(session) {
      for (let entry; (entry = open.get(session)) !== undefined;) await entry.over;
    },
    streamOf(runId) {
      const entry = [...open.values()].find(({ turn }) => turn.turnId === runId);
      return entry?.turn.stream as SessionId | undefined;
    },
    async goOn(tasks) {
      const ofTasks = new Set(tasks.map(({ stream }) => stream));
      for (const turn of await readOpenTurns(log, ofTasks)) {
        recalled.add(turn.stream);
        const known = [...open.values(), ...waiting].some((entry) => entry.turn.turnId === turn.turnId);
        if (known || endedRuns.has(turn.turnId)) continue;
        const entry = createOpenTurn(turn);
        if (!open.has(turn.stream)) open.set(turn.stream, entry);
        waiting.push(entry);
      }
      advance();
    },
    [Symbol.asyncDispose]: () => group[Symbol.asyncDispose](),
  };
}

/** A turn without an end, and its messages that the model has not got yet. */
interface OpenTurn {
  readonly turn: Turn;
  /** Resolves once it has ended, or was suspended. */
  readonly over: Promise<void>;
  setOver(): void;
  /** From here on nothing joins, because it is being stopped. */
  close(): void;
  isClosed(): boolean;
  /** Counts the append that adds a message, and resolves as it does. */
  join(append: () => Promise<number>): Promise<number>;
  /** The turn begins and sees the messages so far. */
  begin(): void;
  /** Messages that the model has not been given yet, as far as is known. */
  unread(): number;
  /** Looks up in the log how far the model has read. */
  refresh(log: Pick<EventLog, "read">): Promise<void>;
}

function createOpenTurn(turn: Turn): OpenTurn {
  const over = Promise.withResolvers<void>();
  let joining = 0;
  let isClosed = false;
  let unreadSeqs: number[] = [];

  return {
    turn,
    over: over.promise,
    setOver: over.resolve,
    close: () => void (isClosed = true),
    isClosed: () => isClosed,
    async join(append) {
      joining += 1;
      try {
        const seq = await append();
        unreadSeqs.push(seq);
        return seq;
      } finally {
        joining -= 1;
      }
    },
    begin() {
      unreadSeqs = [];
    },
    unread: () => unreadSeqs.length + joining,
    async refresh(log) {
      const [first] = unreadSeqs;
      if (first === undefined) return;
      const through = await readThrough(log, turn.stream, first);
      unreadSeqs = unreadSeqs.filter((seq) => seq > through);
    },
  };
}

/** How far the model had read when it last answered; 0 if it has not answered since `after`. */
export async function readThrough(
  log: Pick<EventLog, "read">,
  stream: StreamId,
  after: number,
): Promise<number> {
  let through = 0;
  for await (const { data } of log.read(stream, { after }))
    through = Math.max(through, answeredThrough(data));
  return through;
}

function answeredThrough(data: unknown): number {
  if (typeof data !== "object" || data === null || !("answer" in data)) return 0;
  const { answer } = data;
  if (typeof answer !== "object" || answer === null || !("throughSeq" in answer)) return 0;
  return typeof answer.throughSeq === "number" ? answer.throughSeq : 0;
}
