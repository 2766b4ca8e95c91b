import type {
  ApprovalAnswer,
  OutputItem,
  PendingApproval,
  PlanCard,
  Response,
  StreamEvent,
} from "@deputy/protocol";

/**
 * The agent as a library. Everything it throws is a coded error (`code`, `message`, `hint`) or the reason of the
 * signal that was aborted; what comes of a run is data, also when it fails.
 */
export interface Deputy extends AsyncDisposable {
  /**
   * Says something to the agent and follows what it does about it. Nothing is said before the first event is asked
   * for. Leaving the loop stops the run, as aborting does. What a generator returns is the run's result.
   * Throws `unknown_session`, `deputy_closed` or `approval_failed`, or the signal's reason once the run has stopped.
   */
  query(prompt: string, options?: QueryOptions): RunEvents;
  /** The same, to its result alone. */
  run(prompt: string, options?: QueryOptions): Promise<RunResult>;
  /**
   * Goes on with a session, by its id, also one of an earlier process; with the run that was interrupted in it, too.
   * Throws `unknown_session`.
   */
  resume(sessionId: string): Promise<DeputySession>;
  /** Questions that wait, for answers from elsewhere than `approve`. */
  readonly approvals: Approvals;
  /**
   * Stops everything; runs that go on end with `deputy_closed`. On a home they are suspended, and go on when their
   * session is resumed. Idempotent.
   */
  close(): Promise<void>;
}

/** What a run says while it goes on: a closed union by `payload.type`. */
export type RunEvents = AsyncGenerator<StreamEvent, RunResult, undefined>;

export interface QueryOptions {
  /** A session's id: what is said is heard with all that was said in it before. Absent: a new session. */
  readonly session?: string | undefined;
  /** Which agent a new session is with. Absent: the default one. */
  readonly agent?: string | undefined;
  /** Answers the questions of this run, in place of the deputy's own. */
  readonly approve?: Approve | undefined;
  /** Stops the run. */
  readonly signal?: AbortSignal | undefined;
}

/** One conversation. */
export interface DeputySession {
  readonly id: string;
  /** The run that an earlier process left without an end, from its beginning; it goes on, watched or not. */
  readonly unfinished: RunEvents | undefined;
  query(prompt: string, options?: Omit<QueryOptions, "session" | "agent">): RunEvents;
  run(prompt: string, options?: Omit<QueryOptions, "session" | "agent">): Promise<RunResult>;
  /** Its runs so far, the oldest first. */
  history(): Promise<readonly Response[]>;
}

interface RunOutcome {
  readonly sessionId: string;
  readonly runId: string;
  /** What the agent said last; empty when it said nothing. */
  readonly text: string;
  /** Everything it brought forth: messages, programs, calls and their outputs. */
  readonly output: readonly OutputItem[];
  readonly usage: Response["usage"];
  /** What the models cost; null where nobody knows. */
  readonly cost: Response["cost"];
}

export type RunResult =
  | (RunOutcome & { readonly status: "completed" })
  | (RunOutcome & {
      readonly status: "failed" | "aborted";
      readonly error: { readonly code: string; readonly message: string };
    });

/**
 * Answers a question. The signal aborts when the question is answered elsewhere, expires, or the deputy closes.
 * When it throws, the run is stopped.
 */
export type Approve = (question: ApprovalQuestion, signal: AbortSignal) => Decision | Promise<Decision>;

/** What the user is asked: one call, or all calls that a program is going to ask for. */
export interface ApprovalQuestion extends Omit<PendingApproval, "stream"> {
  readonly sessionId: string;
  /** The calls of a plan, each with its own card; absent for a question about one call. */
  readonly plan?: PlanCard;
}

export type Decision = ApprovalAnswer["decision"] | ApprovalAnswer;

export interface Approvals {
  /** Every question without an answer, the oldest first. */
  list(): Promise<readonly ApprovalQuestion[]>;
  /** The first answer counts; a later one is told what was decided. Throws `unknown_approval` or `approval_failed`. */
  answer(id: string, decision: Decision): Promise<{ readonly decision: ApprovalAnswer["decision"] }>;
}
