import { docComment } from "./doc-comment.ts";
import { isKeywords, refName, resolveRef } from "./json-pointer.ts";
import { pascalCase } from "./literal.ts";
import type { NamedTypes } from "./named-types.ts";
import type { SchemaDocument } from "./place.ts";
import { schemaType } from "./schema-type.ts";
import { primary, print, UNKNOWN } from "./type-expr.ts";

const MAX_NODES = 20_000;

export interface DocumentOptions {
  /** What references lead into; without it, the schema they stand in. */
  readonly root: unknown;
  /** What its named types are named after. */
  readonly owner: string;
  /** Schemas beyond so many become `unknown`. */
  readonly maxNodes?: number;
  /** Marks properties that may be absent although they are required: `readOnly` on the way in. */
  readonly oneSided?: "readOnly" | "writeOnly";
}

/**
 * Writes types of one document's schemas, each for a line of the given level; `aliases` gets the named types
 * they need, each once. References are worked off one after the other, so a long chain of them costs no stack.
 */
export function createDocumentWriter(
  { root, owner, maxNodes = MAX_NODES, oneSided }: DocumentOptions,
  names: NamedTypes,
  aliases: string[],
): (schema: unknown, level: number) => string {
  const known = new Map<string, string>();
  const waiting: { readonly name: string; readonly schema: unknown }[] = [];
  let nodes = 0;

  const document: SchemaDocument = {
    takeNode: () => ++nodes <= maxNodes,
    mayBeAbsent: (property) => oneSided !== undefined && isKeywords(property) && property[oneSided] === true,
    reference(ref, from) {
      let name = known.get(ref);
      if (name === undefined) {
        const found = resolveRef(root, ref);
        if (found === undefined) return UNKNOWN;
        name = names.reserve(pascalCase(owner), refName(ref));
        known.set(ref, name);
        waiting.push({ name, schema: found.target });
      }
      return from === undefined || names.link(from, name) ? primary(name) : UNKNOWN;
    },
  };

  return (schema, level) => {
    const type = print(schemaType(schema, { document, depth: 0, level, owner: undefined }));
    for (const { name, schema: target } of waiting) {
      const doc = docComment(isKeywords(target) ? target["description"] : undefined, "\n");
      if (doc !== undefined) aliases.push(doc);
      aliases.push(
        `type ${name} = ${print(schemaType(target, { document, depth: 0, level: 0, owner: name }))};`,
      );
    }
    waiting.length = 0;
    return type;
  };
}
