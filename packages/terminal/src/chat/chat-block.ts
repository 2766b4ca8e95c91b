import type { ApprovalId, CallStatus, CardLine, TaskEvent } from "@deputy/protocol";

export type ApprovalRequest = Extract<TaskEvent, { type: "approval_request" }>;

/** One thing on the screen that has happened: it never changes, and nothing comes before it later. */
export type ChatBlock =
  | { readonly kind: "user"; readonly text: string }
  | { readonly kind: "assistant"; readonly text: string }
  | { readonly kind: "program"; readonly code: string }
  | CallBlock
  /** `whole`: with all of it, whatever the screen shows of others. */
  | { readonly kind: "approval"; readonly request: ApprovalRequest; readonly details?: "whole" }
  /** A piece of what a question asks for. */
  | { readonly kind: "asks"; readonly lines: readonly CardLine[] }
  | DecisionBlock
  | { readonly kind: "note"; readonly text: string }
  /** Messages of Deputy itself: that a command has ended, a heartbeat's findings, the outcome of a task. */
  | { readonly kind: "told"; readonly text: string }
  | { readonly kind: "error"; readonly text: string };

/** The answer to a question. */
export interface DecisionBlock {
  readonly kind: "decision";
  readonly id: ApprovalId;
  readonly decision: string;
  readonly by: string;
  /** Of a plan that was approved in part: how many of how many calls. */
  readonly part?: { readonly approved: number; readonly of: number };
}

/** A call that has ended. */
export interface CallBlock {
  readonly kind: "call";
  readonly toolPath: string;
  readonly status: CallStatus;
  readonly durationMs: number;
  /** As JSON; absent when it was asked for before what is shown. */
  readonly input?: string;
  readonly preview?: string;
}

/** The state of current work, shown below everything that has happened. */
export interface LiveState {
  /** The text so far of a message that the model is still writing. */
  readonly text: string;
  readonly calls: readonly LiveCall[];
  /** Tools that run in this session whatever the values, because the user allowed it. */
  readonly unasked: readonly string[];
}

export interface LiveCall {
  readonly toolPath: string;
  /** Without the time that the user took to answer its questions. */
  readonly startedAtMs: number;
  /** It has asked the user something. */
  readonly waitsSinceMs?: number;
  /** Its last progress report. */
  readonly progress?: string;
}
