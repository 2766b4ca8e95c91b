import type { TypeExpr } from "./type-expr.ts";

/** One schema with everything it refers to. Turning it into types always ends. */
export interface SchemaDocument {
  /** False once the schema is larger than any real one; the rest of it becomes `unknown`. */
  takeNode(): boolean;
  /** True if a property may be omitted on this side of a call, although its schema requires it. */
  mayBeAbsent(property: unknown): boolean;
  /** The named type behind a `$ref`; `unknown` if it leads outside, nowhere, or only to itself. */
  reference(ref: string, owner: string | undefined): TypeExpr;
}

/** Where in a document a schema stands. */
export interface Place {
  readonly document: SchemaDocument;
  readonly depth: number;
  /** How far the closing brace of an object is indented here. */
  readonly level: number;
  /** The alias whose body this is, unless there is an object, array or tuple in between. */
  readonly owner: string | undefined;
  /** True inside an intersection: TypeScript then looks into arrays and tuples, so they do not break a cycle. */
  readonly isIntersected?: true;
}
