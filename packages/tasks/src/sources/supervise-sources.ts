import {
  abortReason,
  type Clock,
  CodedError,
  errorCodeOf,
  openTaskGroup,
  retry,
  type RetryPolicy,
} from "@deputy/kit";
import type { Inbox } from "../inbox/inbox.ts";
import { TasksError } from "../tasks-error.ts";
import type { EventSource, SourceState } from "./event-source.ts";

/** Keeps sources open until it is disposed, which waits until they have ended. */
export interface SourceSupervisor extends AsyncDisposable {
  /** The current state of each source, by name. */
  states(): ReadonlyMap<string, SourceState>;
}

/** A source that watched for this long was fine: its next failure is new, and it is reopened at once. */
const STEADY_MS = 60_000;
/** Long enough not to bother a server with a wrong password, and short enough that a corrected one is used soon. */
const REFUSED_MS = 300_000;

const POLICY: RetryPolicy = {
  attempts: Number.MAX_SAFE_INTEGER,
  baseMs: 1_000,
  maxMs: REFUSED_MS,
  retryable: () => true,
  retryAfterMs: (error) =>
    error instanceof TasksError && error.code === "source_refused" ? REFUSED_MS : undefined,
};

/** Opens all of them at once, and again whenever they fail, independently of each other. */
export function superviseSources(deps: {
  readonly sources: readonly EventSource[];
  readonly inbox: Inbox;
  readonly clock: Clock;
  readonly random?: () => number;
  /** Called for each change. Must not throw. */
  readonly onState: (name: string, state: SourceState) => void;
  /** Called for bugs, as opposed to failures outside. The source is opened again in any case. */
  readonly onBug: (error: unknown) => void;
  readonly signal: AbortSignal;
}): SourceSupervisor {
  const states = new Map<string, SourceState>();
  const group = openTaskGroup(deps.signal);

  const keepOpen = async (source: EventSource, signal: AbortSignal): Promise<void> => {
    let failure: unknown;
    const tell = (state: SourceState): void => {
      states.set(source.name, state);
      deps.onState(source.name, state);
    };
    const clock: Clock = {
      ...deps.clock,
      sleep(ms, abort) {
        tell(failedState(failure, deps.clock.now() + ms));
        return deps.clock.sleep(ms, abort);
      },
    };
    const attempt = async (): Promise<void> => {
      let watchingSinceMs = Number.POSITIVE_INFINITY;
      tell({ kind: "connecting" });
      try {
        await source.open({
          accept: (delivery) => deps.inbox.accept(delivery),
          onState(state) {
            if (state.kind === "watching")
              watchingSinceMs = Math.min(watchingSinceMs, deps.clock.monotonicMs());
            tell(state);
          },
          signal,
        });
      } catch (error) {
        if (signal.aborted) throw abortReason(signal);
        if (!(error instanceof CodedError)) deps.onBug(error);
        failure = error;
        if (deps.clock.monotonicMs() - watchingSinceMs < STEADY_MS) throw error;
      }
    };
    for (;;) await retry({ clock, random: deps.random ?? Math.random }, POLICY, signal, attempt);
  };

  for (const source of deps.sources) group.spawn((signal) => keepOpen(source, signal));
  return { states: () => states, [Symbol.asyncDispose]: () => group[Symbol.asyncDispose]() };
}

function failedState(error: unknown, retryAtMs: number): SourceState {
  const code = errorCodeOf(error);
  if (!(error instanceof CodedError))
    return { kind: "failed", code, reason: "Something in Deputy broke; its log has more", retryAtMs };
  const { message: reason, hint } = error;
  return { kind: "failed", code, reason, ...(hint === undefined ? {} : { hint }), retryAtMs };
}
