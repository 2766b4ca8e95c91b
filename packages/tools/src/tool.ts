import type { ApprovalPreview } from "@deputy/protocol";
import type { z } from "zod";

export type Effect = "read" | "write" | "egress" | "destructive";
export type ApprovalMode = "auto" | "required";

/** What a tool's `run` gets besides its input. */
export interface ToolContext {
  /** Aborted when the turn is stopped; long work must heed it. */
  readonly signal: AbortSignal;
  /** The same for every attempt at this one call: pass it on to services that understand one. */
  readonly idempotencyKey: string;
  readonly sessionKey: string;
  /** Shown live to the user. */
  progress(message: string): void;
  /** Goes to the cell's log, for the model and the record. */
  log(message: string): void;
}

export interface ToolLimits {
  /** After so long the call is told to stop; its outcome is then unknown, unless it only reads. */
  readonly timeoutMs?: number;
  /** A longer result, as JSON, is an error. */
  readonly resultChars?: number;
}

export interface ToolExample<Input> {
  readonly input: Input;
  /** When one would call it like that. */
  readonly note?: string;
}

/** What a plugin author writes; see `defineTool`. */
export interface ToolDefinition<Args extends z.ZodType, Returns extends z.ZodType> {
  readonly description: string;
  /** `required`: every call waits for the user. */
  readonly approval: ApprovalMode;
  /** Default: `read` for `auto`, `write` for `required`. */
  readonly effect?: Effect;
  /** May be repeated with the same key without a second effect. Default: true for reads, else false. */
  readonly idempotent?: boolean;
  /** Top-level arguments whose values decide who is affected; default all. */
  readonly critical?: readonly (keyof z.input<Args> & string)[];
  /** Bounds on every call, where the defaults are too wide. */
  readonly limits?: ToolLimits;
  /** Inputs that are right, shown with the tool's declaration. */
  readonly examples?: readonly ToolExample<z.input<Args>>[];
  readonly args: Args;
  readonly returns?: Returns;
  readonly run: (input: z.output<Args>, context: ToolContext) => Promise<z.input<Returns>> | z.input<Returns>;
  readonly formatApproval?: (input: z.output<Args>) => ApprovalPreview;
}

/** A tool as `defineTool` leaves it in a tree; its schemas are opaque from here on. */
export interface Tool {
  readonly kind: "deputy.tool";
  readonly definition: ToolDefinition<z.ZodType, z.ZodType>;
}

export interface ToolTree {
  readonly [name: string]: Tool | ToolTree;
}
