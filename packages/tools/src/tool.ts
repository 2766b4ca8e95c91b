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
  /** Everything the answer is about, shown completely. */
  readonly input: unknown;
  /** The values that a yes must come with; absent: none are needed. */
  readonly form?: AnswerForm;
}

export interface AnswerForm {
  /** JSON Schema of the whole answer. */
  readonly schema: unknown;
  /** What a yes means for the fields that it does not name. */
  readonly proposed: Readonly<Record<string, unknown>>;
  /** What is asked, for a client that shows a form. Absent: the question's details. */
  readonly says?: string;
}

export type ToolAnswer =
  /** `value` is the user's input, if they gave one with their yes. */
  | { readonly kind: "accepted"; readonly value?: unknown }
  | { readonly kind: "declined"; readonly reason: string };

/** Which call it is, for what a tool says about a call before it runs. Each is absent where there is none yet. */
export interface CallPlace {
  /** The id of the session whose turn makes the call. */
  readonly session?: string | undefined;
  /** The same as the `idempotencyKey` with which it runs. */
  readonly call?: string | undefined;
  /** Whose text the session has read that is not trusted, by name. Absent where that is not known. */
  readonly untrusted?: readonly string[] | undefined;
}

/** What a tool's `run` gets in addition to its input. */
export interface ToolContext {
  /** Aborted when the turn is stopped; long work must react to it. */
  readonly signal: AbortSignal;
  /** The same for every attempt at this call: pass it on to services that support such keys. */
  readonly idempotencyKey: string;
  readonly sessionKey: string;
  /** The id of the session whose turn makes the call. Absent when there is none. */
  readonly session?: string;
  /** The id of that turn. Absent when there is none. */
  readonly turn?: string;
  /** Whose text the session has read that is not trusted, by name. Absent where that is not known. */
  readonly untrusted?: readonly string[];
  /**
   * `user`: by an answer to this call, a grant or a rule. `terms`: the user was not asked, because the call's terms
   * require no approval. A tool whose terms depend on more than the input checks them again.
   */
  readonly approvedBy: "user" | "terms";
  /**
   * True if one of the user's grants allows exactly this call now. May also be asked after the call has ended, since
   * what a call has opened ends with its grant. Absent where there are no grants. Rejects as the log does.
   */
  isGranted?(): Promise<boolean>;
  /** Shown live to the user. */
  progress(message: string): void;
  /**
   * Stores bytes as an attachment of this call, for the user to see. Rejects like the blob store, or if they
   * are too many for one call. Absent if there is no store for attachments.
   */
  attach?(content: Attachable): Promise<{ readonly blobId: string }>;
  /** Goes to the cell's log, for the model and the record. */
  log(message: string): void;
  /**
   * Asks the user during the call, as an approval that is bound to it, and waits without a limit. Absent when no user
   * can be asked. Rejects with the signal's reason, or as the log does.
   */
  ask?(question: ToolQuestion): Promise<ToolAnswer>;
  /** Issues a credential to this tool for this call; see `Credentials.get`. Absent if there are none. */
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
  /** When to call it like that. */
  readonly note?: string;
}

/** The text about a call that the user sees before it runs, in addition to its whole input. */
export interface ApprovalText {
  /** One line. */
  readonly title: string;
  readonly details?: string;
  /** Files the call would change; shown as diffs. */
  readonly changes?: readonly FileChange[];
  /** Scripts and other files that the call would run, as they are; shown with it. */
  readonly contents?: readonly { readonly path: string; readonly text: string }[];
}

/** The properties of a call by which the policy decides. */
export interface CallTerms {
  readonly approval: ApprovalMode;
  readonly effect: Effect;
  readonly critical: readonly string[] | "all";
  /** As the definition's; absent: as that says. */
  readonly anyValues?: boolean;
}

/** The definition that a plugin author writes; see `defineTool`. */
export interface ToolDefinition<Args extends z.ZodType, Returns extends z.ZodType> {
  readonly description: string;
  /** `required`: every call waits for the user. */
  readonly approval: ApprovalMode;
  /**
   * Default: `write` for `required`. For `auto`, `read`; but `egress` if an argument names an address, such
   * as `url`, `host` or `to`, because data could leave through it. Set `read` if it cannot.
   */
  readonly effect?: Effect;
  /**
   * True if it can be repeated with the same key without a second effect. Default: true for reads, otherwise
   * false.
   */
  readonly idempotent?: boolean;
  /** Top-level arguments whose values decide who is affected; default all. */
  readonly critical?: readonly (keyof z.input<Args> & string)[];
  /**
   * Other terms for one call, when its input determines how far it reaches. If this gives nothing or throws, the
   * terms of the definition hold.
   */
  readonly terms?: (
    input: z.output<Args>,
    place: CallPlace,
  ) => Partial<CallTerms> | undefined | Promise<Partial<CallTerms> | undefined>;
  /**
   * The widest standing permission that the user can give. `input`: for one exact input only, because an approval of
   * one call says nothing about the next. Default `tool`.
   */
  readonly grantable?: "tool" | "input";
  /**
   * Whether the user can choose to allow all calls of it in a conversation, whatever the values. Default: only if it
   * reads or writes. For what reaches outward or destroys, say `true` where any value does no more harm than the first.
   */
  readonly anyValues?: boolean;
  /**
   * For Deputy's own tools: the input stays inside Deputy. A local read sends nothing to anyone; a local
   * write without critical arguments changes only what the user reviews before it counts.
   */
  readonly isLocal?: boolean;
  /**
   * What an approval depends on in addition to the input: things that the user could look at before answering, such
   * as files that a command names, as some short text. It is determined when the user is asked, and again when the
   * call may run: if it has changed, the call does not run. It is called often, so it should do little.
   */
  readonly circumstances?: (input: z.output<Args>, place: CallPlace) => string | Promise<string>;
  /**
   * What a standing approval of this very input depends on, such as the scripts that a command runs, as some short
   * text: once it has changed, the user is asked again. Default: `circumstances`.
   */
  readonly grounds?: (input: z.output<Args>, place: CallPlace) => string | Promise<string>;
  /**
   * `grounds`: a yes to a plan with this call depends on the grounds, because the calls before it may change the
   * circumstances. Counts for tools in Deputy's own process. Default: the circumstances.
   */
  readonly boundInPlans?: "grounds";
  /**
   * What has changed since `circumstances` was first called for this call, for the refusal. Fixed words of your own,
   * none of what was looked at: the agent reads them as Deputy's.
   */
  readonly changed?: (input: z.output<Args>, place: CallPlace) => Promise<string | undefined>;
  /** Who or what is behind the tool, where others could come under the same name: a standing approval is for it alone. */
  readonly identity?: string;
  /**
   * Who wrote the text of its results, for calls made after it. `trusted`: you, or the system alone. `{ values:
   * ["*.id", "*.amount"] }`: others write there, but the system sets these whole fields. Default `untrusted`: someone
   * else.
   */
  readonly trust?: ResultTrust;
  /** The origin of one call's result, if that says more than the tool's path: `web.fetch example.org`. */
  readonly source?: (input: z.output<Args>) => string;
  /**
   * Whose words a result quotes, if it contains words for which `trust` does not hold: it is then untrusted
   * text of that source. Only for tools in Deputy's own process.
   */
  readonly quotes?: (input: z.output<Args>, result: z.output<Returns>) => string | undefined;
  /** Secrets it needs, by the name that the user's settings have for each, with what each is for. */
  readonly credentials?: Readonly<Record<string, string>>;
  /** Limits for every call, if the defaults are too wide. */
  readonly limits?: ToolLimits;
  /**
   * Codes of the errors that a program may want to tell apart: the `code` of what `run` throws. They are shown with
   * the tool's declaration, and a program that catches such an error finds its code there.
   */
  readonly throws?: readonly string[];
  /** Valid inputs, shown with the tool's declaration. */
  readonly examples?: readonly ToolExample<z.input<Args>>[];
  readonly args: Args;
  readonly returns?: Returns;
  readonly run: (input: z.output<Args>, context: RunContext) => Promise<z.input<Returns>> | z.input<Returns>;
  /** Text from the input may stand in it as it is: nothing in it stays invisible. */
  readonly formatApproval?: (input: z.output<Args>, place: CallPlace) => ApprovalText | Promise<ApprovalText>;
}

/** A tool as `defineTool` returns it; its schemas are opaque from here on. */
export interface Tool {
  readonly kind: "deputy.tool";
  readonly definition: ToolDefinition<z.ZodType, z.ZodType>;
}

/** A tool of a source whose schemas are not zod's: it makes its own form for the catalogue. */
export interface ReadyTool {
  readonly kind: "deputy.ready-tool";
  /** Its form at a dotted path. Must not throw, and should do little: a source may have thousands. */
  readonly place: (path: string) => CatalogueTool;
}

export interface ToolTree {
  readonly [name: string]: Tool | ReadyTool | ToolTree;
}
