import type { Clock } from "@deputy/kit";
import { type EventData, type EventLog, EventLogError, type NewEvent } from "@deputy/protocol";

/** One sign-in attempt: its address, its route, and the client's own name. */
export interface SignIn {
  readonly from: string;
  readonly route: string;
  readonly client: string | undefined;
}

/**
 * Writes `auth.accepted` and `auth.rejected` to the system stream without delaying any request, and limits
 * them per minute so that a flood cannot fill the disk. Further ones are counted in the next event.
 */
export interface SignInAudit {
  /** Once per client and window, and again when its token has changed. */
  accepted(signIn: SignIn & { readonly who: string; readonly stillValid: () => boolean }): void;
  /** `how`: another way than the token. */
  rejected(signIn: SignIn & { readonly reason: string; readonly how?: string }): void;
  /** Resolves once everything so far, counts included, is in the log or was reported. Never rejects. */
  close(): Promise<void>;
}

type AuthData = EventData<"auth.rejected">;

const MINUTE_MS = 60_000;
const HOW = "bearer";
const CLIENT_CHARS = 200;

export function createSignInAudit(deps: {
  readonly log: Pick<EventLog, "append">;
  readonly clock: Clock;
  readonly limits: {
    readonly auditedSignInsPerMinute: number;
    readonly signInWindowMs: number;
    readonly signInClients: number;
  };
  /** Called for a sign-in that could not be recorded. */
  readonly onFailure: (error: Error) => void;
}): SignInAudit {
  const { clock, limits } = deps;
  const writing = new Set<Promise<void>>();
  const closing = new AbortController();
  const clients = new Map<string, { readonly endsMs: number; readonly stillValid: () => boolean }>();
  const budgets = { accepted: createBudget(clock, limits), rejected: createBudget(clock, limits) };
  /** The last rejection without its own event, and how many there are. */
  let unrecorded: { readonly latest: AuthData; readonly count: number } | undefined;
  let isFlushDue = false;

  const own = (work: Promise<void>): void => {
    writing.add(work);
    void work.finally(() => writing.delete(work));
  };
  const append = async (event: NewEvent, from: string, onFailure: () => void): Promise<void> => {
    try {
      await deps.log.append("system", [event], { durability: "relaxed" });
    } catch (cause) {
      onFailure();
      deps.onFailure(notRecorded(`${event.type} from ${from} could not be recorded in the log`, cause));
    }
  };
  const countLater = (data: AuthData): void => {
    unrecorded = { latest: data, count: 1 + (data.unrecorded ?? 0) + (unrecorded?.count ?? 0) };
  };
  const reject = (data: AuthData): void =>
    own(append({ type: "auth.rejected", data }, data.from, () => countLater(data)));
  const flush = (): void => {
    if (unrecorded === undefined) return;
    const { latest, count } = unrecorded;
    unrecorded = undefined;
    reject(count === 1 ? latest : { ...latest, unrecorded: count - 1 });
  };
  /** After the minute, so that the end of a flood is counted too. */
  const flushLater = async (waitMs: number): Promise<void> => {
    await clock.sleep(waitMs, closing.signal).catch(() => undefined);
    isFlushDue = false;
    flush();
  };

  return {
    accepted({ from, route, client, who, stillValid }) {
      const key = JSON.stringify([from, client]);
      const known = clients.get(key);
      if (known !== undefined && known.endsMs > clock.monotonicMs() && known.stillValid()) return;
      if (!budgets.accepted.take()) return;
      clients.delete(key);
      clients.set(key, { endsMs: clock.monotonicMs() + limits.signInWindowMs, stillValid });
      const [oldest] = clients.keys();
      if (clients.size > limits.signInClients && oldest !== undefined) clients.delete(oldest);
      const data = { who, from, route, how: HOW, ...clientOf(client) };
      // Its next request is recorded instead.
      own(append({ type: "auth.accepted", data }, from, () => clients.delete(key)));
    },
    rejected({ from, route, client, reason, how = HOW }) {
      const data = { who: "unknown", from, route, how, ...clientOf(client), reason };
      if (!closing.signal.aborted && !budgets.rejected.take()) {
        countLater(data);
        if (isFlushDue) return;
        isFlushDue = true;
        own(flushLater(budgets.rejected.leftMs()));
        return;
      }
      reject(unrecorded === undefined ? data : { ...data, unrecorded: unrecorded.count });
      unrecorded = undefined;
    },
    async close() {
      closing.abort();
      while (writing.size > 0) await Promise.all(writing);
    },
  };
}

/** A full disk is not a bug: the log's own message is passed on, with what to do. */
function notRecorded(what: string, cause: unknown): Error {
  if (!(cause instanceof EventLogError)) return new Error(what, { cause });
  const { code, hint } = cause;
  return new EventLogError(code, `${what}: ${cause.message}`, {
    cause,
    ...(hint === undefined ? {} : { hint }),
  });
}

/** A limit per minute. */
function createBudget(clock: Clock, limits: { readonly auditedSignInsPerMinute: number }) {
  let endsMs = 0;
  let taken = 0;
  return {
    take(): boolean {
      if (clock.monotonicMs() >= endsMs) {
        endsMs = clock.monotonicMs() + MINUTE_MS;
        taken = 0;
      }
      taken += 1;
      return taken <= limits.auditedSignInsPerMinute;
    },
    leftMs: () => endsMs - clock.monotonicMs(),
  };
}

function clientOf(client: string | undefined): { readonly client?: string } {
  return client === undefined ? {} : { client: client.slice(0, CLIENT_CHARS) };
}
