/** Which control a value gets. What no control can show is edited as text, that part alone. */
export type FormKind =
  | { readonly kind: "switch" }
  | { readonly kind: "choice"; readonly options: readonly string[] }
  | { readonly kind: "number"; readonly isWhole: boolean; readonly min?: number; readonly max?: number }
  | { readonly kind: "text" }
  /** A list of texts, one in each line. */
  | { readonly kind: "lines" }
  /** Only one value is allowed. */
  | { readonly kind: "fixed" }
  | { readonly kind: "raw" };

type Schema = Readonly<Record<string, unknown>>;

const RAW: FormKind = { kind: "raw" };
const SAID: ReadonlySet<string> = new Set([
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "later",
]);
const OF_TEXT = ["type", "minLength", "maxLength", "pattern", "format"];
const OF_NUMBER = [
  "type",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "format",
];
const OF_LIST = ["type", "items", "minItems", "maxItems", "uniqueItems"];

/** From JSON Schema. A keyword that is not known here might mean anything: then it is text. */
export function formOf(schema: Schema): FormKind {
  if ("const" in schema) return { kind: "fixed" };
  const inner = withoutNull(schema);
  if (inner !== undefined) return formOf(inner);
  if (Array.isArray(schema["enum"])) {
    const options = schema["enum"] as readonly unknown[];
    const isPlain =
      hasOnly(schema, ["type", "enum"]) && options.every((option) => typeof option === "string");
    return isPlain ? { kind: "choice", options } : RAW;
  }
  switch (schema["type"]) {
    case "boolean":
      return hasOnly(schema, ["type"]) ? { kind: "switch" } : RAW;
    case "string":
      return hasOnly(schema, OF_TEXT) ? { kind: "text" } : RAW;
    case "integer":
    case "number":
      return hasOnly(schema, OF_NUMBER) ? numberForm(schema) : RAW;
    case "array": {
      const items = schema["items"];
      const isLines =
        hasOnly(schema, OF_LIST) &&
        typeof items === "object" &&
        items !== null &&
        (items as Schema)["type"] === "string" &&
        hasOnly(items as Schema, OF_TEXT);
      return isLines ? { kind: "lines" } : RAW;
    }
    default:
      return RAW;
  }
}

function numberForm(schema: Schema): FormKind {
  const { minimum, maximum } = schema;
  return {
    kind: "number",
    isWhole: schema["type"] === "integer",
    ...(typeof minimum === "number" && minimum > Number.MIN_SAFE_INTEGER && { min: minimum }),
    ...(typeof maximum === "number" && maximum < Number.MAX_SAFE_INTEGER && { max: maximum }),
  };
}

/** What is left of “this or nothing”. */
function withoutNull(schema: Schema): Schema | undefined {
  const ways = schema["anyOf"];
  if (!Array.isArray(ways) || !hasOnly(schema, ["anyOf"])) return undefined;
  const others = (ways as readonly Schema[]).filter((way) => way["type"] !== "null");
  return others.length === 1 && ways.length === 2 ? others[0] : undefined;
}

function hasOnly(schema: Schema, keywords: readonly string[]): boolean {
  return Object.keys(schema).every((key) => keywords.includes(key) || SAID.has(key));
}

/** What a control shows for a value. */
export function textOf(form: FormKind, value: unknown): string {
  if (value === null || value === undefined) return "";
  if (form.kind === "raw") return JSON.stringify(value, null, 2);
  if (form.kind === "lines") return Array.isArray(value) ? value.join("\n") : "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

export type Meant =
  | { readonly kind: "value"; readonly value: unknown }
  /** Nothing is said: the default counts. */
  | { readonly kind: "nothing" }
  | { readonly kind: "unreadable"; readonly why: string };

/** The value that a text in a control stands for. Whether it may be is for the daemon to say. */
export function meantBy(form: FormKind, text: string): Meant {
  if (form.kind === "lines") {
    const lines = text.split("\n").map((line) => line.trim());
    return { kind: "value", value: lines.filter((line) => line !== "") };
  }
  if (text.trim() === "") return { kind: "nothing" };
  if (form.kind === "number") {
    const value = Number(text);
    return Number.isFinite(value)
      ? { kind: "value", value }
      : { kind: "unreadable", why: "This is not a number." };
  }
  if (form.kind === "raw")
    try {
      return { kind: "value", value: JSON.parse(text) as unknown };
    } catch (error) {
      return { kind: "unreadable", why: `This is not JSON: ${error instanceof Error ? error.message : ""}` };
    }
  return { kind: "value", value: form.kind === "switch" ? text === "true" : text };
}
