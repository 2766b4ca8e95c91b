export type ContentKind = "html" | "json" | "text" | "binary";

const HTML_TYPE = /^(?:text\/html|application\/xhtml\+xml)$/;
const JSON_TYPE = /^(?:application|text)\/(?:[\w.-]+\+)?json$/;
const TEXT_TYPE =
  /^text\/|^application\/(?:[\w.-]+\+)?(?:xml|yaml|toml|csv)$|^application\/(?:(?:x-)?(?:javascript|ecmascript|yaml|toml|sh|ndjson|typescript)|graphql|sql|x-www-form-urlencoded|jsonl|rtf|mbox)$/;
/** Says nothing: whoever sends it did not know. */
const UNSAID = /^$|^application\/octet-stream$|^binary\/octet-stream$|^unknown\/unknown$/;
const LOOKS_LIKE_HTML = /^\s*(?:<!--[\s\S]{0,500}?-->\s*)?<(?:!doctype html|html|head|body|h1|title)\b/i;
const LOOKED_AT = 1_024;

/** The type itself, without its parameters; empty where there is none. */
export function essenceOf(contentType: string): string {
  const essence = (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
  return /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(essence) ? essence : "";
}

/** What a body is, by its type, and by its looks where the type says nothing. */
export function contentKind(contentType: string, bytes: Uint8Array): ContentKind {
  const essence = essenceOf(contentType);
  const beginning = bytes.subarray(0, LOOKED_AT);
  const isWide =
    (beginning[0] === 0xff && beginning[1] === 0xfe) || (beginning[0] === 0xfe && beginning[1] === 0xff);
  if (beginning.includes(0) && !isWide && !/charset\s*=\s*"?utf-?(?:16|32)/i.test(contentType))
    return "binary";
  if (HTML_TYPE.test(essence)) return "html";
  if (JSON_TYPE.test(essence)) return "json";
  if (TEXT_TYPE.test(essence)) return "text";
  if (!UNSAID.test(essence)) return "binary";
  const text = new TextDecoder("latin1").decode(beginning);
  if (text.startsWith("%PDF-") || text.startsWith("PK\u0003\u0004")) return "binary";
  return LOOKS_LIKE_HTML.test(text) ? "html" : "text";
}
