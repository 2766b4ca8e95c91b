import { canonicalJson } from "@deputy/policy/canonical-json";
import type { Sha256 } from "@deputy/protocol";
import { z } from "zod";
import { fieldOf, isObject, type JsonObject } from "@deputy/json-schema";

const schemaSchema = z.record(z.string(), z.unknown());

/** Everything in a server's definition of a tool that Deputy relies on. Any change makes it a different tool. */
export const definitionSchema = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  inputSchema: schemaSchema,
  outputSchema: schemaSchema.optional(),
  annotations: z.record(z.string(), z.unknown()).optional(),
});
export type McpDefinition = z.infer<typeof definitionSchema>;

/** Limits for a server's definition of one tool; a larger one is left out. */
export const DEFINITION_LIMITS = { nameChars: 256, textChars: 65_536, jsonChars: 524_288, depth: 64 };

export type ReadDefinition =
  | { readonly kind: "ok"; readonly definition: McpDefinition }
  /** Why it is left out, with its name as far as that can be shown. */
  | { readonly kind: "refused"; readonly name: string; readonly reason: string };

/** Never throws. */
export function readDefinition(raw: unknown): ReadDefinition {
  const name = isObject(raw) && typeof raw["name"] === "string" ? raw["name"] : "";
  const refused = (reason: string): ReadDefinition => ({
    kind: "refused",
    name: name.slice(0, DEFINITION_LIMITS.nameChars),
    reason,
  });
  if (!isObject(raw) || name === "") return refused("it has no name");
  if (name.length > DEFINITION_LIMITS.nameChars) return refused("its name is too long");
  if (isDeeper(raw, DEFINITION_LIMITS.depth)) return refused("it is nested too deeply");
  const read = definitionSchema.safeParse(raw);
  if (!read.success) return refused("its definition is not valid");
  const { data: definition } = read;
  if (fieldOf(raw["execution"], "taskSupport") === "required")
    return refused("it can only be called as a task of MCP's own, and Deputy has none of these");
  if (definition.inputSchema["type"] !== "object") return refused("its input is not an object");
  if ((definition.title?.length ?? 0) > DEFINITION_LIMITS.textChars) return refused("its title is too long");
  if ((definition.description?.length ?? 0) > DEFINITION_LIMITS.textChars)
    return refused("its description is too long");
  if (JSON.stringify(definition).length > DEFINITION_LIMITS.jsonChars)
    return refused("its schema is too large");
  return { kind: "ok", definition };
}

export function hashDefinition(sha256: Sha256, definition: McpDefinition): string {
  return sha256(canonicalJson(definition));
}

/** The approximate amount of text in a value of any depth. */
export function countChars(value: unknown): number {
  let chars = 0;
  for (let level: readonly unknown[] = [value]; level.length > 0;) {
    level = level.flatMap((node) => {
      if (typeof node === "string") chars += node.length;
      if (typeof node !== "object" || node === null) return [];
      if (!Array.isArray(node)) for (const key of Object.keys(node)) chars += key.length;
      return Object.values(node);
    });
  }
  return chars;
}

/** Level by level, because deep nesting would overflow the stack. */
function isDeeper(value: JsonObject, depth: number): boolean {
  let level: readonly unknown[] = [value];
  for (let at = 0; at <= depth; at++) {
    level = level.flatMap((node) => (typeof node === "object" && node !== null ? Object.values(node) : []));
    if (level.length === 0) return false;
  }
  return true;
}
