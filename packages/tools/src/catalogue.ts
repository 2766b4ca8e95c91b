import type { ApprovalPreview, ResultTrust } from "@deputy/protocol";
import type { DeclaredError, JsonSchema, SchemaDefinitions } from "@deputy/codemode";
import type { FoundTools, MeaningSearch } from "@deputy/search";
import type { SeenTypes } from "./seen/seen-types.ts";
import type {
  ApprovalMode,
  CallPlace,
  CallTerms,
  Effect,
  ToolContext,
  ToolExample,
  ToolLimits,
} from "./tool.ts";
import type { ToolsErrorCode } from "./tools-error.ts";

/** One namespace tree over every source of tools; the only way the engine sees a tool. */
export interface Catalogue {
  /** All tools, sorted by path. */
  list(): readonly CatalogueTool[];
  /** By its path. */
  get(path: string): CatalogueTool | undefined;
  /** The path of the tool behind each alias that counts. */
  readonly aliases: Readonly<Record<string, string>>;
  /**
   * Best matches first, by words, and by meaning if there is such a search; a tool with that exact path comes
   * before all others; never more than `limit`. The first search loads what it needs, and other work can run
   * meanwhile; it says if words alone were searched, and why. Rejects with the signal's reason on abort.
   */
  find(query: string, limit: number, signal: AbortSignal): Promise<FoundTools<CatalogueTool>>;
  /** TypeScript declarations of all tools, as the type checker needs them. */
  declarations(): string;
  /**
   * Declarations of these tools only, with descriptions, for the model: `brief`, the default, leaves out deep
   * parts of large types, and marks the places. Unknown paths are left out.
   */
  describe(paths: readonly string[], amount?: "brief" | "whole"): string;
  /** The remembered shapes of results. Declarations show them for tools without an output schema. */
  readonly seen?: SeenTypes | undefined;
  /** Finds tools by meaning, if there is such a search. */
  readonly meaning?: MeaningSearch | undefined;
}

/** A tool of any source in the form the gate works with. */
export interface CatalogueTool {
  /** Dotted, e.g. `github.issues.close`. */
  readonly path: string;
  /**
   * A second path by which programs can call it, as long as no tool has that as its own. Everything else, such as rules,
   * grants and the log, knows it by `path` alone.
   */
  readonly alias?: string;
  readonly description: string;
  /**
   * Who wrote the description, the schemas and the examples, if neither Deputy nor the user did:
   * `mcp:github`. For a model they are untrusted text.
   */
  readonly describedBy?: string;
  readonly approval: ApprovalMode;
  readonly effect: Effect;
  /** Present when the author did not declare the effect: the reason for assuming it, written for the user. */
  readonly presumed?: string;
  readonly idempotent: boolean;
  readonly critical: readonly string[] | "all";
  /** `input`: no grant of the tool as a whole lets a call through. Absent: `tool`. */
  readonly grantable?: "tool" | "input";
  /** As `PolicyTool` has these. */
  readonly anyValues?: boolean;
  readonly isLocal?: boolean;
  /** Who or what is behind it, if another could have the same path; see `ToolDefinition`. */
  readonly identity?: string;
  /** Absent: untrusted. Inferred facts about a tool never make it trusted. */
  readonly trust?: ResultTrust;
  /** Names of the credentials it may ask for, and what each is for. Absent: none. */
  readonly credentials?: Readonly<Record<string, string>>;
  readonly limits: ToolLimits;
  readonly examples: readonly ToolExample<unknown>[];
  /** Codes of errors that its author names. Absent: none. */
  readonly throws?: readonly string[];
  readonly inputSchema: JsonSchema;
  /** Further words by which the tool is found, if they are known without its input schema. */
  readonly keywords?: string;
  /** Absent: the source does not say. */
  readonly outputSchema?: JsonSchema | undefined;
  /** Refusals that its source declares, and what each comes with. Absent: the source does not say. */
  readonly errors?: readonly DeclaredError[] | undefined;
  /** Present where the schemas of a whole source share types: the declarations then name each of them once. */
  readonly definitions?: SchemaDefinitions;
  // The following methods give a promise when the tool's code is not in this process.
  /** Never fails: problems are described in words. Does not change `raw`. */
  parseInput(raw: unknown): ParsedInput | Promise<ParsedInput>;
  /**
   * Rejects like the tool; its result, a value or a `JsonResult`, is checked against `outputSchema` if there
   * is one, and an invalid one is `invalid_output`.
   */
  run(input: unknown, context: ToolContext): Promise<unknown>;
  /** The circumstances that an approval of this call depends on, as far as they can be determined. Never fails. */
  circumstancesOf?(input: unknown, place?: CallPlace): string | Promise<string>;
  /** What a standing approval of this input depends on. Absent: the circumstances. Never fails. */
  groundsOf?(input: unknown, place?: CallPlace): string | Promise<string>;
  /** See `boundInPlans` of a definition. */
  readonly boundInPlans?: "grounds";
  /** What among the circumstances of a call has changed since the user was asked, in words of its author. Never fails. */
  changeOf?(input: unknown, place: CallPlace): Promise<string | undefined>;
  /** The terms of one call, where they may be others than the tool's own. Never fails. */
  termsOf?(input: unknown, place?: CallPlace): CallTerms | Promise<CallTerms>;
  /** The origin of one call's result, as labels and questions name it. Undefined: the tool's path. Never fails. */
  sourceOf?(input: unknown): string | undefined | Promise<string | undefined>;
  /**
   * Whose words a result quotes, if `trust` does not hold for them: it is then untrusted text of that source.
   * Undefined: nobody's. Never fails.
   */
  quotedIn?(input: unknown, result: unknown): string | undefined;
  /** The text by which the user decides. Never fails. */
  preview(input: unknown, place?: CallPlace): ApprovalPreview | Promise<ApprovalPreview>;
}

export type ParsedInput =
  | { readonly kind: "ok"; readonly input: unknown }
  /** `code`: why the tool accepts no input at all now; absent if only this input is invalid. */
  | { readonly kind: "invalid"; readonly message: string; readonly code?: ToolsErrorCode };
