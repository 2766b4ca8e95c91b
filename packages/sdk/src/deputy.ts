import type {
  ApprovalAnswer,
  OutputItem,
  PendingApproval,
  PlanCard,
  Response,
  StreamEvent,
} from "@deputy/protocol";

/**
 * The agent as a library. Everything it throws is a coded error (`code`, `message`, `hint`) or the reason of
 * the aborted signal; the result of a run is data, even if it fails.
 */
export interface Deputy extends AsyncDisposable {
  /**
   * Sends a message to the agent and follows its run. Nothing is sent before the first event is requested.
   * Leaving the loop stops the run, as aborting does. The generator returns the run's result. Throws
   * `unknown_session`, `deputy_closed` or `approval_failed`, or the signal's reason once the run has stopped.
   */
  query(prompt: string, options?: QueryOptions): RunEvents;
  /** The same, but returns only the result. */
  run(prompt: string, options?: QueryOptions): Promise<RunResult>;
  /**
   * Continues a session by its id, even one of an earlier process, together with a run that was interrupted
   * in it. Throws `unknown_session`.
   */
  resume(sessionId: string): Promise<DeputySession>;
  /** Waiting questions, to be answered elsewhere than in `approve`. */
  readonly approvals: Approvals;
  /**
   * Stops everything; running runs end with `deputy_closed`. On a home they are suspended, and continue when
   * their session is resumed. Idempotent.
   */
  close(): Promise<void>;
}

/** A run's output: a closed union by `payload.type`. */
export type RunEvents = AsyncGenerator<StreamEvent, RunResult, undefined>;

export interface QueryOptions {
  /** A session's id: the message joins its history. Absent: a new session. */
  readonly session?: string | undefined;
  /** The agent of a new session. Absent: the default one. */
  readonly agent?: string | undefined;
  /** Answers the questions of this run, in place of the deputy's own. */
  readonly approve?: Approve | undefined;
  /** Stops the run. */
  readonly signal?: AbortSignal | undefined;
}

/** One conversation. */
export interface DeputySession {
  readonly id: string;
  /** The run that an earlier process left open, from its beginning; it continues, watched or not. */
  readonly unfinished: RunEvents | undefined;
  query(prompt: string, options?: Omit<QueryOptions, "session" | "agent">): RunEvents;
  run(prompt: string, options?: Omit<QueryOptions, "session" | "agent">): Promise<RunResult>;
  /** Its runs so far, the oldest first. */
  history(): Promise<readonly Response[]>;
}

interface RunOutcome {
  readonly sessionId: string;
  readonly runId: string;
  /** The agent's last message; empty if there is none. */
  readonly text: string;
  /** Everything it produced: messages, programs, calls and their outputs. */
  readonly output: readonly OutputItem[];
  readonly usage: Response["usage"];
  /** The cost of the models; null if unknown. */
  readonly cost: Response["cost"];
}

export type RunResult =
  | (RunOutcome & { readonly status: "completed" })
  | (RunOutcome & {
      readonly status: "failed" | "aborted";
      readonly error: { readonly code: string; readonly message: string };
    });

/**
 * Answers a question. The signal aborts if the question is answered elsewhere, expires, or the deputy closes.
 * If it throws, the run is stopped.
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
  /** Every question without an answer, oldest first. */
  list(): Promise<readonly ApprovalQuestion[]>;
  /**
   * The first answer counts; a later one learns what was decided. Throws `unknown_approval` or
   * `approval_failed`.
   */
  answer(id: string, decision: Decision): Promise<{ readonly decision: ApprovalAnswer["decision"] }>;
}
