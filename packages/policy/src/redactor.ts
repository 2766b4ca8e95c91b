/** Takes known secret values out of what is logged, shown or sent. */
export interface Redactor {
  text(text: string): string;
  /** A copy with every string in it (keys too) redacted. */
  json<T>(value: T): T;
}

/** Stands where a secret was. */
export const REDACTED = "[redacted]";
/** Shorter values would redact ordinary words. */
const SHORTEST_SECRET = 8;

/** Longer ones do not fit a regular expression and are looked for one by one. */
const LONGEST_IN_PATTERN = 1_000;

/** Finds each value raw, JSON-escaped, URL-encoded, and as base64 or hex. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const forms = [...new Set(secrets.filter((secret) => secret.length >= SHORTEST_SECRET).flatMap(formsOf))];
  forms.sort((a, b) => b.length - a.length);
  const long = forms.filter((form) => form.length > LONGEST_IN_PATTERN);
  const short = forms.filter((form) => form.length <= LONGEST_IN_PATTERN);
  const pattern = new RegExp(short.map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"), "g");

  const text = (raw: string): string => {
    const rest = long.reduce((left, form) => left.replaceAll(form, REDACTED), raw);
    return short.length === 0 ? rest : rest.replace(pattern, REDACTED);
  };
  const json = (value: unknown): unknown => {
    if (typeof value === "string") return text(value);
    if (Array.isArray(value)) return value.map(json);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [text(key), json(member)]));
  };
  return { text, json: <T>(value: T) => (forms.length === 0 ? value : (json(value) as T)) };
}

function formsOf(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  // Base64 of the value inside a longer text depends on where it starts; the middle characters do not.
  const base64 = [0, 1, 2].map((shift) => {
    const encoded = btoa("\0".repeat(shift) + binary);
    return encoded.slice(shift === 0 ? 0 : shift + 1, Math.floor(((bytes.length + shift) * 8) / 6));
  });
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    hex,
    hex.toUpperCase(),
    ...base64,
    ...base64.map((form) => form.replaceAll("+", "-").replaceAll("/", "_")),
  ];
}
