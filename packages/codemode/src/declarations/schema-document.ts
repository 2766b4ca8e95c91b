import { refName, resolveRef } from "./json-pointer.ts";
import type { NamedTypes } from "./named-types.ts";
import { primary, print, type TypeExpr, UNKNOWN } from "./type-expr.ts";

/** One schema with everything it refers to. Whatever it says, turning it into types ends. */
export interface SchemaDocument {
  readonly root: unknown;
  /** False once the schema has been larger than any real one; the rest of it becomes `unknown`. */
  takeNode(): boolean;
  /** The named type behind a `$ref`; `unknown` when it leads outside, nowhere, or only to itself. */
  reference(ref: string, owner: string | undefined): TypeExpr;
}

/** Where in a document a schema stands. */
export interface Place {
  readonly document: SchemaDocument;
  readonly depth: number;
  /** The alias whose body this is, unless an object, array or tuple lies between. */
  readonly owner: string | undefined;
}

const MAX_NODES = 20_000;

/**
 * Writes the type of a document's root, and hands `declare` the aliases it needs, each once. References
 * are worked off one after the other, so a long chain of them costs no stack.
 */
export function writeDocument(
  root: unknown,
  prefix: string,
  names: NamedTypes,
  typeOf: (schema: unknown, place: Place) => TypeExpr,
  declare: (statement: string) => void,
): TypeExpr {
  const known = new Map<string, string>();
  const waiting: { readonly name: string; readonly schema: unknown }[] = [];
  let nodes = 0;

  const document: SchemaDocument = {
    root,
    takeNode: () => ++nodes <= MAX_NODES,
    reference(ref, owner) {
      const found = resolveRef(root, ref);
      if (found === undefined) return UNKNOWN;
      let name = known.get(ref);
      if (name === undefined) {
        name = names.reserve(prefix, refName(ref));
        known.set(ref, name);
        waiting.push({ name, schema: found.target });
      }
      return owner === undefined || names.link(owner, name) ? primary(name) : UNKNOWN;
    },
  };

  const type = typeOf(root, { document, depth: 0, owner: undefined });
  for (const { name, schema } of waiting) {
    declare(`type ${name} = ${print(typeOf(schema, { document, depth: 0, owner: name }))};`);
  }
  return type;
}
