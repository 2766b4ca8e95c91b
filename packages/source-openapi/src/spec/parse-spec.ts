import { ToolsError } from "@deputy/tools";

/** Larger than any real one: the largest known has 47 MB. */
export const MAX_SPEC_CHARS = 96 * 1024 * 1024;
/** How many aliases in YAML are expanded. */
const MAX_ALIASES = 1_000;

/** The document in a text, JSON or YAML, as plain JSON. Rejects with `spec_invalid` or `spec_too_large`. */
export async function parseSpec(text: string): Promise<unknown> {
  if (text.length > MAX_SPEC_CHARS)
    throw new ToolsError("spec_too_large", `The document has more than ${MAX_SPEC_CHARS} characters`);
  const plain = text.replace(/^\uFEFF/, "");
  try {
    return JSON.parse(plain);
  } catch (cause) {
    // Otherwise it may be YAML, which can begin with a brace too.
    if (/^\s*\{\s*"/.test(plain))
      throw new ToolsError("spec_invalid", `The document is not valid JSON: ${messageOf(cause)}`, { cause });
  }
  return await parseYaml(plain);
}

async function parseYaml(text: string): Promise<unknown> {
  const { parse } = await import("./yaml.ts");
  try {
    const value: unknown = parse(text, { maxAliasCount: MAX_ALIASES, logLevel: "error" });
    // Through JSON: no dates, no cycles, no object that stands in two places.
    const json = JSON.stringify(value);
    if (json !== undefined && json.length > MAX_SPEC_CHARS)
      throw new ToolsError("spec_too_large", `The document has more than ${MAX_SPEC_CHARS} characters`);
    return json === undefined ? undefined : JSON.parse(json);
  } catch (cause) {
    if (cause instanceof ToolsError) throw cause;
    throw new ToolsError("spec_invalid", `The document is not valid YAML: ${messageOf(cause)}`, { cause });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
}
