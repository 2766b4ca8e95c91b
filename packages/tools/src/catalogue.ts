import type { ApprovalPreview, ResultTrust } from "@deputy/protocol";
import type { DeclaredError, JsonSchema, SchemaDefinitions } from "@deputy/codemode";
import type { MeaningSearch } from "@deputy/search";
import type { SeenTypes } from "./seen/seen-types.ts";
import type { ApprovalMode, CallTerms, Effect, ToolContext, ToolExample, ToolLimits } from "./tool.ts";
import type { ToolsErrorCode } from "./tools-error.ts";

/** One namespace tree over every source of tools; the only way the engine sees a tool. */
export interface Catalogue {
  /** All tools, sorted by path. */
  list(): readonly CatalogueTool[];
  get(path: string): CatalogueTool | undefined;
  /**
   * The best matches first, by words, and by meaning where that can be told; a tool asked for by its exact path before
   * all others; never more than `limit`. The first search loads what it needs; while it makes ready other work goes on.
   * Rejects with the signal's reason on abort.
   */
  find(query: string, limit: number, signal: AbortSignal): Promise<readonly CatalogueTool[]>;
  /** TypeScript declarations of all tools, as the type checker needs them. */
  declarations(): string;
  /**
   * Declarations of just these, with descriptions, for the model: `brief`, the default, leaves out what is deep inside
   * large types, and says where. Unknown paths are left out.
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
  readonly description: string;
  readonly approval: ApprovalMode;
  readonly effect: Effect;
  /** Present when the author did not declare the effect: the reason for assuming it, written for the user. */
  readonly presumed?: string;
  readonly idempotent: boolean;
  readonly critical: readonly string[] | "all";
  /** `input`: no grant of the tool as a whole lets a call through. Absent: `tool`. */
  readonly grantable?: "tool" | "input";
  /** Absent: untrusted. What is merely inferred about a tool never trusts it. */
  readonly trust?: ResultTrust;
  /** Names of the credentials it may ask for, and what each is for. Absent: none. */
  readonly credentials?: Readonly<Record<string, string>>;
  readonly limits: ToolLimits;
  readonly examples: readonly ToolExample<unknown>[];
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
   * Rejects as the tool does; its result, a value or a `JsonResult`, is checked against `outputSchema` where there is
   * one, and one that does not fit is `invalid_output`.
   */
  run(input: unknown, context: ToolContext): Promise<unknown>;
  /** The circumstances that an approval of this call depends on, as far as they can be determined. Never fails. */
  circumstancesOf?(input: unknown): string | Promise<string>;
  /** The terms of one call, where they may be others than the tool's own. Never fails. */
  termsOf?(input: unknown): CallTerms | Promise<CallTerms>;
  /** The origin of one call's result, as labels and questions name it. Undefined: the tool's path. Never fails. */
  sourceOf?(input: unknown): string | undefined | Promise<string | undefined>;
  /** The text by which the user decides. Never fails. */
  preview(input: unknown): ApprovalPreview | Promise<ApprovalPreview>;
}

export type ParsedInput =
  | { readonly kind: "ok"; readonly input: unknown }
  /** `code`: why the tool takes no input at all as things stand; absent where this input does not fit. */
  | { readonly kind: "invalid"; readonly message: string; readonly code?: ToolsErrorCode };
