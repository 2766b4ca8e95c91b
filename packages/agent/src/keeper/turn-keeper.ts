import { type Clock, CodedError, type TurnId } from "@deputy/kit";
import type { Redactor } from "@deputy/secrets";
import {
  type CanonicalEvent,
  EventLogError,
  type EventLog,
  type EventData,
  type NewEvent,
  type StoredEvent,
} from "@deputy/protocol";
import { closingEvents, readOpenItems } from "../turn/open-items.ts";
import { StopRequest, stoppedBy, SuspendRequest, throwIfSuspended } from "../turn/stop-request.ts";
import { createStreamView, type StreamView, createTurnView, type TurnViewLog } from "../history/turn-view.ts";
import { readTurnState, type Spent } from "../turn/turn-state.ts";
import type { Turn, TurnOutcome } from "../turn/turn.ts";
import { createLogPatience, willPass } from "./log-patience.ts";
import { createTurnFence, type TurnFence } from "./turn-fence.ts";
import { readOwnership, type TurnOwnership } from "./turn-ownership.ts";

/**
 * Every turn is begun, continued, suspended, stopped and ended here. The promises hold for all keepers over one log:
 * a turn has one end and nothing after it, and one owner at a time. The log says who owns it; an owner that has lost
 * the turn can add nothing to it.
 */
export interface TurnKeeper<Log = EventLog> extends AsyncDisposable {
  /**
   * The log to use for work on a turn. Appends to a turn that this keeper owns wait while the disk is full, and are
   * refused once the keeper has lost the turn. All other calls pass through.
   */
  readonly log: Log;
  /**
   * Begins a turn and does its work, or continues it; resolves with its end, which is then in the log. For a turn that has
   * already ended, resolves with that end. A second caller for a turn that runs here waits for the same end.
   *
   * The signal stops the turn, or suspends it when its reason is a `SuspendRequest`. Rejects with a `SuspendRequest`
   * when the turn was suspended, was taken over, or the log has failed for good: the turn can be continued. Rejects for
   * a bug in the work, after the turn's end is in the log.
   */
  run(turn: Turn, work: TurnWork, signal: AbortSignal): Promise<TurnOutcome>;
  /**
   * Ends a turn: stops its work if this keeper owns it, otherwise takes it over and ends it. Resolves once its end is in
   * the log, with that end, which may be another one than a stop. Idempotent. Rejects as `run` does.
   */
  stop(turn: Turn, by: string): Promise<TurnOutcome>;
  /** Fails a turn that cannot be worked on. Resolves with its end, as `stop` does. */
  giveUp(turn: Turn, failure: TurnFailure): Promise<TurnOutcome>;
  /** Suspends every turn, and waits for them. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * The work of a turn between its beginning and its end. It is called again when a message came that it has not seen.
 * A coded error that it throws fails the turn; any other error is a bug, and the turn fails without that error's
 * message.
 */
export type TurnWork = (held: HeldTurn, signal: AbortSignal) => Promise<WorkDone>;

export interface HeldTurn {
  /** The turn's own events, and all events between them. */
  readonly view: StreamView;
  /** Puts the turn's first event into the log, unless it is there. */
  begin(model: string): Promise<void>;
}

export interface WorkDone {
  /** Why it failed, if it did. */
  readonly failure?: TurnFailure | undefined;
  /** The last event that it has seen: the turn does not end before what was said since is answered. Absent: that does not matter. */
  readonly throughSeq?: number;
}

export interface TurnFailure {
  readonly code: string;
  readonly message: string;
}

/** The part of a log that a keeper needs. */
export type TurnLog = Pick<EventLog, "append"> & TurnViewLog;

export interface TurnKeeperDeps<Log> {
  readonly log: Log;
  /** Names this process in the log; no other has the same. */
  readonly owner: string;
  readonly clock: Clock;
  readonly redactor: Redactor;
  /** In millionths of a dollar; undefined when the price is unknown. Absent: no price is known. */
  readonly costOf?: (spent: readonly Spent[], model: string) => Promise<number | undefined>;
  /** Called when turns begin to wait for room on the disk, and when they continue. Must not throw. */
  readonly onHeldUp?: ((error: EventLogError | undefined) => void) | undefined;
}

/** A turn that this keeper owns, or is about to. */
interface Holding {
  /** Stops the work, or suspends it. */
  readonly control: AbortController;
  /** Aborted once the turn is suspended: then nothing waits any more, not even for room on the disk. */
  readonly letGo: AbortController;
  readonly done: Promise<TurnOutcome>;
  fence: TurnFence | undefined;
}

/** Stands for the model in a turn that asked none. */
const NO_MODEL = "none";
/** After these errors the log accepts nothing until it is opened again. */
const LASTING_FAILURES: ReadonlySet<string> = new Set(["log_failed", "log_closed"]);

/** Work that failed because the disk was full is tried again after this time. */
const AGAIN_MS = 1_000;

export function createTurnKeeper<Log extends TurnLog>(deps: TurnKeeperDeps<Log>): TurnKeeper<Log> {
  const { owner, redactor } = deps;
  const held = new Map<TurnId, Holding>();
  const patience = createLogPatience(deps);
  const closing = new AbortController();

  const fenced: EventLog["append"] = async (stream, events, options) => {
    const turnId = events.find((event) => event.turnId !== undefined)?.turnId;
    const { fence, letGo: suspended } = (turnId === undefined ? undefined : held.get(turnId)) ?? {};
    if (fence === undefined || suspended === undefined || options?.expectedSeq !== undefined)
      return await deps.log.append(stream, events, options);
    return await patience.insist(() => fence.append(stream, events, options), suspended.signal, fence);
  };

  /** A price that cannot be found is not known; no end waits for it. */
  const priceOf = async (spent: readonly Spent[], model: string): Promise<number | undefined> => {
    try {
      return await deps.costOf?.(spent, model);
    } catch {
      return undefined;
    }
  };
  /** The cost of the turn's models over all processes that worked on it: the log has every answer. */
  const billOf = async (events: readonly CanonicalEvent[], turn: Turn): Promise<Bill> => {
    const { spent, usage } = readTurnState(events, turn);
    const model = modelOf(events, turn.turnId);
    const micros =
      model === undefined || model === NO_MODEL || spent.length === 0 ? 0 : await priceOf(spent, model);
    if (micros === undefined || micros <= 0) return { usage };
    return { usage, cost: { amount: micros / 1e6, currency: "USD" } };
  };

  const carry = async (turn: Turn, work: TurnWork, holding: Holding): Promise<TurnOutcome> => {
    const { control } = holding;
    const { stream, turnId, agentId } = turn;
    let view: StreamView = createTurnView(deps.log, turn, "turn");
    /** Under which the turn is ours; 0 until it is. */
    let epoch = 0;

    /**
     * Appends the events that `draft` makes from the events so far. When another append came first, it drafts again.
     * Undefined when there is nothing to append.
     */
    const appendAt = async (
      draft: (events: readonly CanonicalEvent[]) => Promise<readonly NewEvent[] | undefined>,
    ): Promise<StoredEvent | undefined> => {
      for (;;) {
        const known = await view.current();
        const expectedSeq = view.seq();
        const events = await draft(known);
        if (events === undefined) return undefined;
        try {
          const write = () => deps.log.append(stream, events, { expectedSeq });
          return (await patience.insist(write, holding.letGo.signal, holding)).at(-1);
        } catch (error) {
          if (!(error instanceof EventLogError)) throw error;
          // An end that lies further back than the view looks: clocks that were set back can hide it.
          if (error.code === "turn_ended") view = createStreamView(deps.log, stream);
          else if (error.code !== "conflict") throw error;
        }
      }
    };

    const ownership = (events: readonly CanonicalEvent[]): TurnOwnership => readOwnership(events, turnId);
    /** This keeper writes nothing more to the turn, and the work on it stops where it is. */
    const lose = (): SuspendRequest => {
      const request = new SuspendRequest(
        "Another process has taken over the turn, and continues it or has ended it",
      );
      control.abort(request);
      return request;
    };
    const own = (as: number, { seq }: StoredEvent): void => {
      epoch = as;
      holding.fence = createTurnFence({ log: deps.log, turn, epoch, seq, onLost: lose });
    };
    const begin = async (model: string): Promise<void> => {
      if (epoch > 0) return;
      const begun = await appendAt(async (events) => {
        if (ownership(events).epoch > 0) throw lose();
        return [{ type: "turn.started", turnId, data: { agentId, model, owner, epoch: 1 } }];
      });
      if (begun !== undefined) own(1, begun);
    };
    /** Takes over a turn that was begun. How it ended, if it has. */
    const claim = async (): Promise<TurnOutcome | undefined> => {
      let now: TurnOwnership | undefined;
      const claimed = await appendAt(async (events) => {
        now = ownership(events);
        if (now.outcome !== undefined || !now.isStarted) return undefined;
        const lost = now.owner !== undefined && now.owner !== owner;
        return [{ type: "turn.claimed", turnId, data: { owner, epoch: now.epoch + 1, lost } }];
      });
      if (claimed !== undefined && now !== undefined) own(now.epoch + 1, claimed);
      return now?.outcome;
    };

    /** Undefined when something was said meanwhile that must be answered first. */
    const end = async (ending: Ending, throughSeq = Infinity): Promise<TurnOutcome | undefined> => {
      await begin(NO_MODEL);
      let outcome: TurnOutcome | undefined;
      const ended = await appendAt(async (events) => {
        const now = ownership(events);
        ({ outcome } = now);
        if (outcome !== undefined || hasUnseen(events, throughSeq)) return undefined;
        if (now.epoch !== epoch) throw lose();
        const left = closingEvents(turnId, readOpenItems(events, turnId), LEFT_OPEN);
        return [...left, { ...endEvent(ending, await billOf(events, turn)), turnId }];
      });
      return ended === undefined ? outcome : outcomeOf(ending);
    };
    const settled = async (ending: Ending): Promise<TurnOutcome> => {
      const outcome = await end(ending);
      if (outcome === undefined) throw new Error("A turn that ends whatever was said has not ended");
      return outcome;
    };
    const failed = (code: string, message: string): Ending => ({
      kind: "failed",
      code,
      message: redactor.text(message),
    });
    const stopped = (): Ending => ({ kind: "aborted", by: stoppedBy(control.signal) });

    const earlier = await claim();
    if (earlier !== undefined) return earlier;
    for (;;) {
      let done: WorkDone;
      try {
        control.signal.throwIfAborted();
        done = await work({ view, begin }, control.signal);
        control.signal.throwIfAborted();
      } catch (error) {
        throwIfSuspended(control.signal);
        holding.letGo.signal.throwIfAborted();
        if (control.signal.aborted) return await settled(stopped());
        if (error instanceof SuspendRequest) throw error;
        if (error instanceof EventLogError && LASTING_FAILURES.has(error.code)) throw error;
        if (willPass(error)) {
          await deps.clock.sleep(AGAIN_MS, holding.letGo.signal);
          continue;
        }
        if (error instanceof CodedError) return await settled(failed(String(error.code), error.message));
        await settled(failed("internal", "Something went wrong inside Deputy; its log says what."));
        throw error;
      }
      const { failure, throughSeq } = done;
      const ending: Ending =
        failure === undefined ? { kind: "completed" } : failed(failure.code, failure.message);
      const outcome = await end(ending, throughSeq);
      if (outcome !== undefined) return outcome;
    }
  };

  /** Records that the turn has no owner now. A later owner can also find that out without this event. */
  const letGo = async (turn: Turn): Promise<void> => {
    const view = createTurnView(deps.log, turn, "turn");
    const now = readOwnership(await view.current(), turn.turnId);
    if (now.outcome !== undefined || now.owner !== owner) return;
    const event: NewEvent = { type: "turn.suspended", turnId: turn.turnId, data: { epoch: now.epoch } };
    await deps.log.append(turn.stream, [event], { durability: "relaxed", expectedSeq: view.seq() });
  };

  const hold = (turn: Turn, work: TurnWork): Holding => {
    const { promise, resolve, reject } = Promise.withResolvers<TurnOutcome>();
    const control = new AbortController();
    const holding: Holding = { control, letGo: new AbortController(), done: promise, fence: undefined };
    held.set(turn.turnId, holding);
    const run = async (): Promise<TurnOutcome> => {
      try {
        return await carry(turn, work, holding);
      } catch (error) {
        if (holding.letGo.signal.aborted) await letGo(turn).catch(() => undefined);
        if (error instanceof EventLogError && LASTING_FAILURES.has(error.code))
          throw new SuspendRequest(`The log has failed; the turn goes on after a restart (${error.message})`);
        throw error;
      } finally {
        held.delete(turn.turnId);
      }
    };
    run().then(resolve, reject);
    promise.catch(() => undefined); // Told to whoever asked.
    return holding;
  };

  /** A stop leaves time to write the turn's end; a suspension leaves none. */
  const interrupt = ({ control, letGo: suspended }: Holding, reason: unknown): void => {
    if (reason instanceof SuspendRequest) suspended.abort(reason);
    control.abort(reason);
  };
  const follow = (holding: Holding, signal: AbortSignal): (() => void) => {
    const pass = (): void => interrupt(holding, signal.reason);
    if (signal.aborted) pass();
    else signal.addEventListener("abort", pass, { once: true });
    return () => signal.removeEventListener("abort", pass);
  };

  const run: TurnKeeper["run"] = async (turn, work, signal) => {
    if (closing.signal.aborted) throw new SuspendRequest();
    const holding = held.get(turn.turnId) ?? hold(turn, work);
    const unfollow = follow(holding, signal);
    try {
      return await holding.done;
    } finally {
      unfollow();
    }
  };

  return {
    log: Object.assign({}, deps.log, { append: fenced }),
    run,
    async stop(turn, by) {
      const stopOwner = async (): Promise<TurnOutcome> => {
        if (closing.signal.aborted) throw new SuspendRequest();
        const holding = held.get(turn.turnId) ?? hold(turn, nothing);
        interrupt(holding, new StopRequest(by));
        return await holding.done;
      };
      // The owner may have let go of the turn just then. It then has no owner and is taken over.
      return await stopOwner().catch((error: unknown) => {
        if (!(error instanceof SuspendRequest)) throw error;
        return stopOwner();
      });
    },
    giveUp: (turn, failure) => run(turn, async () => ({ failure }), closing.signal),
    async [Symbol.asyncDispose]() {
      closing.abort(new SuspendRequest());
      const holdings = [...held.values()];
      for (const holding of holdings) interrupt(holding, new SuspendRequest());
      await Promise.allSettled(holdings.map(({ done }) => done));
    },
  };
}

type Ending = TurnOutcome | { readonly kind: "aborted"; readonly by: string };
type Bill = Pick<EventData<"turn.completed">, "usage" | "cost">;

const LEFT_OPEN = { code: "interrupted", message: "The turn ended before this did." };
/** The work of a turn that is only to end. */
const nothing: TurnWork = async () => ({});

function endEvent(ending: Ending, bill: Bill): NewEvent {
  switch (ending.kind) {
    case "completed":
      return { type: "turn.completed", data: bill };
    case "failed":
      return { type: "turn.failed", data: { code: ending.code, message: ending.message, ...bill } };
    case "aborted":
      return { type: "turn.aborted", data: { by: "by" in ending ? ending.by : "deputy", ...bill } };
    default:
      return ending satisfies never;
  }
}

function outcomeOf(ending: Ending): TurnOutcome {
  return ending.kind === "aborted" ? { kind: "aborted" } : ending;
}

/** A message that the user sends during a turn belongs to it, whether it has text or attachments. */
function hasUnseen(events: readonly CanonicalEvent[], throughSeq: number): boolean {
  return events.some(({ type, seq }) => type === "user.message" && seq > throughSeq);
}

function modelOf(events: readonly CanonicalEvent[], turnId: TurnId): string | undefined {
  for (const event of events)
    if (event.type === "turn.started" && event.turnId === turnId) return event.data.model;
  return undefined;
}
