import type { ResultTrust } from "@deputy/protocol";
import type { FileChange } from "@deputy/kit";
import type { z } from "zod";
import type { CatalogueTool } from "./catalogue.ts";

export type Effect = "read" | "write" | "egress" | "destructive";
export type ApprovalMode = "auto" | "required";

/** A question that a running tool asks the user. */
export interface ToolQuestion {
  /** One line. */
  readonly title: string;
  readonly details?: string;
  /** All that the answer is about, shown whole. */
  readonly input: unknown;
}

export type ToolAnswer =
  /** `value` is the user's input, if they gave one with their yes. */
  | { readonly kind: "accepted"; readonly value?: unknown }
  | { readonly kind: "declined"; readonly reason: string };

/** What a tool's `run` gets in addition to its input. */
export interface ToolContext {
  /** Aborted when the turn is stopped; long work must heed it. */
  readonly signal: AbortSignal;
  /** The same for every attempt at this one call: pass it on to services that understand one. */
  readonly idempotencyKey: string;
  readonly sessionKey: string;
  /** The id of the session whose turn makes the call. Absent when there is none. */
  readonly session?: string;
  /**
   * `user`: by an answer to this call, a grant or a rule. `terms`: the user was not asked, because the call's terms
   * require no approval. A tool whose terms depend on more than the input checks them again.
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
   * Asks the user during the call, as an approval that is bound to it, and waits without a limit. Absent when no user
   * can be asked. Rejects with the signal's reason, or as the log does.
   */
  ask?(question: ToolQuestion): Promise<ToolAnswer>;
  /** Issues a credential to this tool for this call; see `Credentials.get`. Absent where there are none. */
  credential?(name: string): Promise<string>;
}

/** The secrets that a tool gets for one call. */
export interface Credentials {
  /**
   * The secret that the user's settings have for this tool under a name that it declares. It is taken out of the
   * result and of everything else that is shown. Rejects with `credential_missing` or `credential_refused`.
   */
  get(name: string): Promise<string>;
}

/** The context that the `run` of a defined tool gets. */
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
  /** The call is aborted after this time. Its outcome is then unknown, unless it only reads. */
  readonly timeoutMs?: number;
  /** A longer result, as JSON, is an error. */
  readonly resultChars?: number;
}

export interface ToolExample<Input> {
  readonly input: Input;
  /** When one would call it like that. */
  readonly note?: string;
}

/** The text about a call that the user sees before it runs, in addition to its whole input. */
export interface ApprovalText {
  /** One line. */
  readonly title: string;
  readonly details?: string;
  /** Files the call would change; shown as diffs. */
  readonly changes?: readonly FileChange[];
}

/** The properties of a call by which the policy decides. */
export interface CallTerms {
  readonly approval: ApprovalMode;
  readonly effect: Effect;
  readonly critical: readonly string[] | "all";
}

/** The definition that a plugin author writes; see `defineTool`. */
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
   * Other terms for one call, when its input determines how far it reaches. If this gives nothing or throws, the
   * terms of the definition hold.
   */
  readonly terms?: (input: z.output<Args>) => Partial<CallTerms> | undefined;
  /**
   * The widest standing permission that the user can give. `input`: for one exact input only, because an approval of
   * one call says nothing about the next. Default `tool`.
   */
  readonly grantable?: "tool" | "input";
  /**
   * What an approval depends on in addition to the input: things that the user could look at before answering, such
   * as files that a command names, as some short text. It is determined when the user is asked, and again when the
   * call may run: if it has changed, the call does not run. It is called often, so it should do little.
   */
  readonly circumstances?: (input: z.output<Args>) => string;
  /**
   * Who wrote the text of its results, for calls made after it. `trusted`: you, or the system alone. `{ values:
   * ["*.id", "*.amount"] }`: others write there, but the system sets these whole fields. Default `untrusted`: someone
   * else.
   */
  readonly trust?: ResultTrust;
  /** The origin of one call's result, if that says more than the tool's path: `web.fetch example.org`. */
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
