import { docComment } from "./doc-comment.ts";
import { isKeywords, refName, resolveRef } from "./json-pointer.ts";
import { pascalCase } from "./literal.ts";
import type { NamedTypes } from "./named-types.ts";
import type { SchemaDocument } from "./place.ts";
import { schemaType } from "./schema-type.ts";
import { primary, print, UNKNOWN } from "./type-expr.ts";

const MAX_NODES = 20_000;

/**
 * The type of a document's root, for a line of this level; `aliases` gets the named types it needs, each
 * once, named after `owner`. References are worked off one after the other, so a long chain of them costs
 * no stack.
 */
export function writeDocument(
  root: unknown,
  owner: string,
  level: number,
  names: NamedTypes,
  aliases: string[],
): string {
  const known = new Map<string, string>();
  const waiting: { readonly name: string; readonly schema: unknown }[] = [];
  let nodes = 0;

  const document: SchemaDocument = {
    takeNode: () => ++nodes <= MAX_NODES,
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

  const type = print(schemaType(root, { document, depth: 0, level, owner: undefined }));
  for (const { name, schema } of waiting) {
    const doc = docComment(isKeywords(schema) ? schema["description"] : undefined, "\n");
    if (doc !== undefined) aliases.push(doc);
    aliases.push(
      `type ${name} = ${print(schemaType(schema, { document, depth: 0, level: 0, owner: name }))};`,
    );
  }
  return type;
}
