/** A diagnostic as TypeScript reports it, positions in the wrapped text. */
export interface CompilerDiagnostic {
  readonly pos: number;
  readonly end: number;
  readonly code: number;
  readonly text: string;
  readonly messageChain?: readonly CompilerDiagnostic[] | undefined;
  readonly relatedInformation?: readonly CompilerDiagnostic[] | undefined;
}

/**
 * Variables whose type TypeScript does not find out, such as an empty list that a function fills. Nothing is wrong with
 * what such a program does.
 */
export const HARMLESS: ReadonlySet<number> = new Set([7005, 7034]);

/** A diagnostic together with what the checker knows about its place. */
export interface PlacedDiagnostic extends CompilerDiagnostic {
  readonly facts: PlaceFacts;
}

/** Facts about the place; an explanation uses what is there. */
export interface PlaceFacts {
  /** A name that was looked for in something: `lst` on `tools.issues`. */
  readonly lookup?: { readonly name: string; readonly on: string; readonly owner: TypeFacts };
  /** A dotted path under `tools` that leads nowhere, and every path that leads to a tool. */
  readonly missingTool?: { readonly path: string; readonly toolPaths: readonly string[] };
  /** A path that leads to a group of tools, not to a tool. */
  readonly toolGroup?: { readonly path: string; readonly toolPaths: readonly string[] };
  /** A path that was called but is not a name here; it may be that of a tool. */
  readonly bareTool?: { readonly path: string; readonly toolPaths: readonly string[] };
  readonly expected?: TypeFacts;
  readonly given?: TypeFacts;
  /** The tool call around the place, as it is declared. */
  readonly call?: { readonly callee: string; readonly isOptional: boolean; readonly input: TypeFacts };
  /** Where a value of unknown type comes from: a `catch`, or the call of a tool. */
  readonly unknownFrom?: { readonly kind: "catch" } | { readonly kind: "call"; readonly callee: string };
  /** The place of an earlier diagnostic that causes this one. */
  readonly followsFrom?: number;
}

export interface TypeFacts {
  /** As TypeScript prints it, possibly shortened. */
  readonly text: string;
  readonly kind: "promise" | "array" | "object" | "unknown" | "other";
  /** For an array: the members of its elements. The first few in declared order, required ones first. */
  readonly members: readonly Member[];
  /** All of them. */
  readonly memberNames: readonly string[];
  /** The values of an enumeration, as written in code. */
  readonly literals: readonly string[];
}

export interface Member {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
}
