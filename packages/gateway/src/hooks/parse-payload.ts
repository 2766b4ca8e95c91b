import { GatewayError } from "../gateway-error.ts";

/** Deeper than anything people write, and shallow enough for recursive code. */
const MOST_LEVELS = 100;

/** JSON, or the fields of a form if the scheme accepts them. Throws `unsupported_media_type` or `invalid_json`. */
export function parsePayload(
  contentType: string,
  raw: Buffer,
  options: { readonly forms: boolean },
): unknown {
  const [type = ""] = contentType.toLowerCase().split(";", 1);
  if (/^application\/(?:[\w.-]+\+)?json$/.test(type.trim())) return parseJson(textOf(raw));
  if (options.forms && type.trim() === "application/x-www-form-urlencoded") return parseForm(textOf(raw));
  throw new GatewayError("unsupported_media_type", "This hook does not accept that content type");
}

function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new GatewayError("invalid_json", "The body is not valid JSON", { cause });
  }
  assertSound(value, 0);
  return value;
}

/** A repeated field is a list. */
function parseForm(text: string): unknown {
  const fields = new URLSearchParams(text);
  const value = Object.fromEntries(
    [...new Set(fields.keys())].map((name) => {
      const all = fields.getAll(name);
      return [name, all.length === 1 ? all[0] : all];
    }),
  );
  assertSound(value, 0);
  return value;
}

function textOf(raw: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(raw);
  } catch (cause) {
    throw new GatewayError("invalid_json", "The body is not UTF-8", { cause });
  }
}

/** Refuses keys that would reach into prototypes when the payload is copied, and too many levels. */
function assertSound(value: unknown, level: number): void {
  if (typeof value !== "object" || value === null) return;
  if (level > MOST_LEVELS) throw new GatewayError("invalid_json", "The body is nested too deeply");
  const inner = Object.hasOwn(value, "constructor")
    ? (value as { constructor: unknown }).constructor
    : undefined;
  const reaches = typeof inner === "object" && inner !== null && Object.hasOwn(inner, "prototype");
  if (reaches || Object.hasOwn(value, "__proto__"))
    throw new GatewayError("invalid_json", "The body has a key that is not allowed");
  for (const item of Object.values(value)) assertSound(item, level + 1);
}
