import type { Redactor } from "@deputy/policy/secrets";
import { DEEPEST_JSON, jsonDepth } from "./json-depth.ts";

/**
 * JSON text without secrets: as values where it can be, since a secret in a text of JSON may reach over its quotes, or
 * lie in several of its strings. `text`: it nests too deeply for that, and may be no JSON any more.
 */
export function redactJson(
  json: string,
  redactor: Pick<Redactor, "text" | "json">,
): { readonly text: string; readonly kind: "json" | "text" } {
  if (jsonDepth(json) > DEEPEST_JSON) return { text: redactor.text(json), kind: "text" };
  return { text: JSON.stringify(redactor.json<unknown>(JSON.parse(json))), kind: "json" };
}
