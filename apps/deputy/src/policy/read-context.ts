import { basename } from "node:path";
import { parseJson } from "@deputy/kit";
import type { OriginIndex } from "@deputy/policy";
import { z } from "zod";
import { AppError } from "../app-error.ts";

const TRUSTS = ["user", "configuration", "trusted", "untrusted"] as const;

/** One piece of content that came into a session. */
const entrySchema = z
  .strictObject({
    source: z.string().optional(),
    trust: z.enum(TRUSTS),
    text: z.string().optional(),
    json: z.unknown().optional(),
  })
  .refine(({ text, json }) => (text === undefined) !== (json === undefined), "must have either text or json");
type ContextEntry = z.infer<typeof entrySchema>;

/**
 * Reads the content of a session from a file: JSON lines, or a JSON array, of `{source, trust, text}` (or `json`
 * instead of `text`). Any other file counts as an untrusted tool result. Throws `usage` for an invalid entry, if the
 * first one is valid.
 */
export function addContext(index: OriginIndex, file: string, text: string, today: string): void {
  const values = readValues(text);
  if (values === undefined || !isEntry(values[0])) {
    index.addResult({ source: basename(file), trust: "untrusted" }, values?.length === 1 ? values[0] : text);
    return;
  }
  for (const [at, value] of values.entries()) {
    const entry = entrySchema.safeParse(value);
    if (!entry.success) {
      throw new AppError("usage", `Entry ${at + 1} of ${file} is not one`, {
        hint: `Each is {"source": …, "trust": ${TRUSTS.map((trust) => `"${trust}"`).join(" | ")}, "text": …}, or has json instead of text.`,
      });
    }
    add(index, basename(file), entry.data, today);
  }
}

function add(
  index: OriginIndex,
  file: string,
  { source = file, trust, text, json }: ContextEntry,
  today: string,
): void {
  const said = text ?? (typeof json === "string" ? json : JSON.stringify(json));
  if (trust === "user") index.addUser(said, today);
  else if (trust === "configuration") index.addConfiguration(said);
  else index.addResult({ source, trust }, text ?? json);
}

/** The values of a JSON array, of one JSON value, or of JSON lines; undefined for plain text. */
function readValues(text: string): readonly unknown[] | undefined {
  const whole = parseJson(text);
  if (whole !== undefined) return Array.isArray(whole) && isEntry(whole[0]) ? whole : [whole];
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const values = lines.map(parseJson);
  return values.length === 0 || values.includes(undefined) ? undefined : values;
}

function isEntry(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && "trust" in value && ("text" in value || "json" in value)
  );
}
