/** How a body is written, and an answer read, by its media type. */
export type MediaKind = "json" | "form" | "multipart" | "text" | "lines" | "events" | "binary";

const TEXT =
  /^(?:text\/|application\/(?:xml|yaml|x-yaml|graphql|javascript|sql|jwt|toml|csv)|.*\+(?:xml|yaml)$)/;
const LINES = /^application\/(?:x-)?(?:ndjson|jsonl|json-lines|jsonlines|json-seq|stream\+json)$/;
const JSON_TYPE = /^(?:application|text)\/(?:[\w.*-]+\+)?(?:x-)?json$/;

/** Without its parameters, in lower case. */
export function essenceOf(mediaType: string): string {
  return (mediaType.split(";")[0] ?? "").trim().toLowerCase();
}

export function mediaKindOf(mediaType: string): MediaKind {
  const essence = essenceOf(mediaType);
  if (LINES.test(essence)) return "lines";
  if (JSON_TYPE.test(essence) || essence === "application/vnd.api+json") return "json";
  if (essence === "application/x-www-form-urlencoded") return "form";
  if (essence.startsWith("multipart/")) return "multipart";
  if (essence === "text/event-stream") return "events";
  // A wildcard says nothing; almost all documents mean JSON by it.
  if (essence === "*/*" || essence === "" || essence === "application/*") return "json";
  return TEXT.test(essence) ? "text" : "binary";
}
