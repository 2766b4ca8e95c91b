import type { Diagnostic, EventData } from "@deputy/protocol";

/** What a conversation shows, from top to bottom. A row is replaced when it changes, never changed. */
export type Row =
  | SaidRow
  | QuotedRow
  | NoteRow
  | RecalledRow
  | AnswerRow
  | ActivityRow
  | QuestionRow
  | EndRow
  | FiringRow
  | ModelRow;

export type Attachment = EventData<"user.message">["attachments"][number];

interface Base {
  /** The same for the same row, live or after a reload. */
  readonly key: string;
  /** Of the event that began it; absent while it is only on its way. */
  readonly seq?: number;
  readonly at: string;
}

export interface SaidRow extends Base {
  readonly kind: "said";
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** The turn that it began or joined. */
  readonly turnId?: string;
  /** The same was said before, and came to nothing: it is not shown once more. */
  readonly isAgain?: boolean;
  /** Whether it has arrived. Absent: it has. */
  readonly sending?: Sending;
}

export type Sending =
  /** There is no connection, or something said before it comes first. It has not left this browser. */
  | { readonly kind: "queued" }
  | { readonly kind: "sending" }
  /** It was sent, and the connection was lost before the answer. It is asked for when there is one again. */
  | { readonly kind: "uncertain" }
  /** Deputy has it, and it shows in a moment. */
  | { readonly kind: "sent" }
  /** Deputy refused it. */
  | { readonly kind: "failed"; readonly why: string };

/** Text that came with a message and is not the user's own. */
export interface QuotedRow extends Base {
  readonly kind: "quoted";
  readonly source: string;
  readonly text: string;
}

/** A notification of Deputy's own. */
export interface NoteRow extends Base {
  readonly kind: "note";
  readonly from: string;
  readonly text: string;
}

/** What the model was shown of the memory for the message above. */
export interface RecalledRow extends Base {
  readonly kind: "recalled";
  readonly hits: EventData<"memory.recalled">["hits"];
  /** What is missing, if something is. */
  readonly note?: string;
}

export interface AnswerRow extends Base {
  readonly kind: "answer";
  readonly text: string;
  readonly isStreaming: boolean;
  /** Where its turn ended, if it is the turn's last: a copy of a conversation has whole turns. */
  readonly turnEndSeq?: number;
}

/** Programs that ran one after the other, without a word between them. */
export interface ActivityRow extends Base {
  readonly kind: "activity";
  readonly cells: readonly Cell[];
  readonly thoughts: readonly string[];
  /** The turn has not ended. */
  readonly isOpen: boolean;
}

export interface Cell {
  readonly id: string;
  readonly code: string;
  readonly startedAt: string;
  readonly endedAt?: string;
  /** Not empty: it does not typecheck, and nothing of it ran. */
  readonly diagnostics: readonly Diagnostic[];
  readonly calls: readonly Call[];
  readonly logs: readonly string[];
  readonly result?: unknown;
  readonly error?: string;
  /** What happened in it, in order: a finished run is gone through by these. */
  readonly moments: readonly Moment[];
  /** It stood still for an answer. */
  readonly wasAsked: boolean;
  /** The questions that it waits for now. */
  readonly questions: readonly string[];
}

/** A call was decided, or has ended. */
export interface Moment {
  readonly callId: string;
  readonly what: "decided" | "settled";
  readonly at: string;
}

export interface Call {
  readonly id: string;
  readonly toolPath: string;
  /** As the program calls it, where that is another name of the tool. */
  readonly calledAs?: string;
  readonly input: unknown;
  readonly status: "decided" | "running" | "succeeded" | "failed" | "denied" | "unknown";
  /** How the gate decided, and why. */
  readonly decision?: "allow" | "ask" | "deny";
  /** What the reader had allowed before covers it: the rest of a plan, or what was allowed for longer. */
  readonly isGranted?: boolean;
  readonly why: readonly string[];
  readonly progress?: string;
  readonly preview?: string;
  readonly error?: string;
  readonly durationMs?: number;
  readonly attachments: readonly Attachment[];
  /** Files that it was to change, as the question showed them. */
  readonly changes?: readonly { readonly path: string; readonly diff: string }[];
}

export interface QuestionRow extends Base {
  readonly kind: "question";
  readonly id: string;
  readonly title: string;
  readonly calls: number;
  /** How many tools they are of. */
  readonly tools: number;
  readonly answer?: {
    readonly decision: "approved" | "denied";
    readonly by: string;
    readonly at: string;
    readonly reason?: string;
    /** Of a plan: how many were approved. */
    readonly approved?: number;
    readonly scope: string;
    readonly isExpired: boolean;
  };
}

/** A turn that failed or was stopped. */
export interface EndRow extends Base {
  readonly kind: "end";
  readonly how: "failed" | "aborted" | "error";
  readonly text: string;
}

/** From here on another model answers. */
export interface ModelRow extends Base {
  readonly kind: "model";
  /** Present: it answered this once, because that one failed. */
  readonly instead?: string;
  /** Null: the agent's own again. */
  readonly model: string | null;
}

/** A task ran, or did not, and why. */
export interface FiringRow extends Base {
  readonly kind: "firing";
  readonly how: "ran" | "skipped" | "ended";
  readonly dueAt: string;
  readonly text: string;
}
