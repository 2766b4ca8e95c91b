import type { Redactor } from "@deputy/secrets";
import { jsonHead } from "./json-head.ts";
import { DEEPEST_JSON, jsonSize } from "./json-size.ts";

/** Nobody is shown more of a result: of a longer one, this much is read and redacted, however long it is. */
export const SHOWN_JSON_CHARS = 64 * 1024;

/**
 * JSON text without secrets: as values where it can be, since a secret in a text of JSON may reach over its quotes, or
 * lie in several of its strings. `head`: it is longer than anybody is shown, and this is its beginning. `text`: it
 * nests too deeply, and may be no JSON any more.
 */
export function redactJson(
  json: string,
  redactor: Pick<Redactor, "text" | "json" | "stream">,
): { readonly text: string; readonly kind: "json" | "head" | "text" } {
  const isLong = json.length > SHOWN_JSON_CHARS;
  const shown = isLong ? json.slice(0, SHOWN_JSON_CHARS) : json;
  if (jsonSize(shown).depth > DEEPEST_JSON) {
    // The text before a cut may end with the beginning of a secret, so that part is held back.
    const text = isLong ? redactor.stream().push(shown) : redactor.text(shown);
    return { text, kind: "text" };
  }
  const value = isLong ? jsonHead(json, SHOWN_JSON_CHARS, redactor) : (JSON.parse(json) as unknown);
  return { text: JSON.stringify(redactor.json(value)), kind: isLong ? "head" : "json" };
}
