import type { ResultTrust } from "@deputy/protocol";
import type { FileChange } from "@deputy/kit";
import type { z } from "zod";
import type { CatalogueTool } from "./catalogue.ts";

export type Effect = "read" | "write" | "egress" | "destructive";
export type ApprovalMode = "auto" | "required";

/** What a running tool asks the user. */
export interface ToolQuestion {
  /** One line. */
  readonly title: string;
  readonly details?: string;
  /** All that the answer is about, shown whole. */
  readonly input: unknown;
}

export type ToolAnswer =
  /** `value` is what the user said besides yes, where that was something. */
  | { readonly kind: "accepted"; readonly value?: unknown }
  | { readonly kind: "declined"; readonly reason: string };

/** What a tool's `run` gets besides its input. */
export interface ToolContext {
  /** Aborted when the turn is stopped; long work must heed it. */
  readonly signal: AbortSignal;
  /** The same for every attempt at this one call: pass it on to services that understand one. */
  readonly idempotencyKey: string;
  readonly sessionKey: string;
  /** The id of the session whose turn makes the call. Absent where there is none. */
  readonly session?: string;
  /**
   * `user`: by an answer to this very call, a grant or a rule. `terms`: nobody was asked, since the call's
   * terms said that nobody need be; a tool whose terms depend on more than the input finds them again.
   */
  readonly approvedBy: "user" | "terms";
  /** Shown live to the user. */
  progress(message: string): void;
  /**
   * Keeps bytes as an attachment of this call, for the user to see. Rejects as the blob store does, or when they are
   * too many for one call. Absent where nothing keeps attachments.
   */
  attach?(content: Attachable): Promise<{ readonly blobId: string }>;
  /** Goes to the cell's log, for the model and the record. */
  log(message: string): void;
  /**
   * Asks the user in the middle of the call, as an approval that is bound to it, and waits as long as it takes.
   * Absent where nobody can be asked. Rejects with the signal's reason, or as the log does.
   */
  ask?(question: ToolQuestion): Promise<ToolAnswer>;
  /** Issues a credential to this tool for this call; see `Credentials.get`. Absent where there are none. */
  credential?(name: string): Promise<string>;
}

/** What a tool is trusted with, for one call. */
export interface Credentials {
  /**
   * The secret that the user's settings have for this tool under a name that it declares. It is taken out of the
   * result and of everything else that is shown. Rejects with `credential_missing` or `credential_refused`.
   */
  get(name: string): Promise<string>;
}

/** What the `run` of a defined tool gets. */
export interface RunContext extends ToolContext {
  readonly credentials: Credentials;
}

export interface Attachable {
  readonly bytes: Uint8Array;
  readonly mimeType: string;
  /** A file's name, not a path. */
  readonly name: string;
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

/** What the user is told of a call before it runs, besides its whole input. */
export interface ApprovalText {
  /** One line. */
  readonly title: string;
  readonly details?: string;
  /** Files the call would change; shown as diffs. */
  readonly changes?: readonly FileChange[];
}

/** What the policy goes by. */
export interface CallTerms {
  readonly approval: ApprovalMode;
  readonly effect: Effect;
  readonly critical: readonly string[] | "all";
}

/** What a plugin author writes; see `defineTool`. */
export interface ToolDefinition<Args extends z.ZodType, Returns extends z.ZodType> {
  readonly description: string;
  /** `required`: every call waits for the user. */
  readonly approval: ApprovalMode;
  /**
   * Default: `write` for `required`. For `auto`, `read`; but `egress` where an argument names an address, such
   * as `url`, `host` or `to`: what was read could leave by it. Say `read` where it cannot.
   */
  readonly effect?: Effect;
  /** May be repeated with the same key without a second effect. Default: true for reads, else false. */
  readonly idempotent?: boolean;
  /** Top-level arguments whose values decide who is affected; default all. */
  readonly critical?: readonly (keyof z.input<Args> & string)[];
  /**
   * Other terms for one call, where its input tells how far it reaches. Without an answer, or when it throws,
   * those of the definition hold.
   */
  readonly terms?: (input: z.output<Args>) => Partial<CallTerms> | undefined;
  /**
   * The widest standing permission that the user can give: `input`, for one exact input only, where a yes to
   * one call says nothing of the next. Default `tool`.
   */
  readonly grantable?: "tool" | "input";
  /**
   * What else a yes is about, besides the input: what the user could look at before saying it, such as files
   * that a command names, in some short text. Found when the call is asked about, and again when it may run:
   * if it is another one by then, the call does not run. Called often, so it should do little.
   */
  readonly circumstances?: (input: z.output<Args>) => string;
  /**
   * Whose words its results are, for calls made after it. `trusted`: yours, or the system's alone.
   * `{ values: ["*.id", "*.amount"] }`: others write there, but these fields, as a whole, the system
   * keeps. Default `untrusted`: someone else's.
   */
  readonly trust?: ResultTrust;
  /** Where one call's result comes from, where that says more than the tool's path: `web.fetch example.org`. */
  readonly source?: (input: z.output<Args>) => string;
  /** Secrets it needs, by the name that the user's settings have for each, with what each is for. */
  readonly credentials?: Readonly<Record<string, string>>;
  /** Bounds on every call, where the defaults are too wide. */
  readonly limits?: ToolLimits;
  /** Inputs that are right, shown with the tool's declaration. */
  readonly examples?: readonly ToolExample<z.input<Args>>[];
  readonly args: Args;
  readonly returns?: Returns;
  readonly run: (input: z.output<Args>, context: RunContext) => Promise<z.input<Returns>> | z.input<Returns>;
  /** Text from the input may stand in it as it is: nothing in it stays invisible. */
  readonly formatApproval?: (input: z.output<Args>) => ApprovalText;
}

/** A tool as `defineTool` leaves it in a tree; its schemas are opaque from here on. */
export interface Tool {
  readonly kind: "deputy.tool";
  readonly definition: ToolDefinition<z.ZodType, z.ZodType>;
}

/** A tool of a source whose schemas are not zod's: it takes its form in the catalogue by itself. */
export interface ReadyTool {
  readonly kind: "deputy.ready-tool";
  /** Its form at a dotted path. Must not throw, and should do little: a source may have thousands. */
  readonly place: (path: string) => CatalogueTool;
}

export interface ToolTree {
  readonly [name: string]: Tool | ReadyTool | ToolTree;
}
