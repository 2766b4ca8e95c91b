export type Schema = Readonly<Record<string, unknown>>;

/** One value of an object, and whether it must be there. */
export interface FormField {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

/** Undefined if it is no plain object: then all of it is edited as text. */
export function fieldsOf(schema: unknown): readonly FormField[] | undefined {
  if (typeof schema !== "object" || schema === null) return undefined;
  const { type, properties, required } = schema as Schema;
  if (type !== "object" || typeof properties !== "object" || properties === null) return undefined;
  const must: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, field]) => ({
    name,
    schema: typeof field === "object" && field !== null ? (field as Schema) : {},
    isRequired: must.includes(name),
  }));
}

/** What counts by the schema where nothing is said. */
export function defaultsOf(schema: unknown): Schema {
  const given = (fieldsOf(schema) ?? []).filter(({ schema: of }) => Object.hasOwn(of, "default"));
  return Object.fromEntries(given.map(({ name, schema: of }) => [name, of["default"]]));
}

/** Which control a value gets. What no control can show is edited as text, that part alone. */
export type FormKind =
  | { readonly kind: "switch" }
  /** `names`: how people know the options, where they have other names. */
  | { readonly kind: "choice"; readonly options: readonly string[]; readonly names?: readonly string[] }
  /** Some of the options. */
  | { readonly kind: "several"; readonly options: readonly string[]; readonly names?: readonly string[] }
  | { readonly kind: "number"; readonly isWhole: boolean; readonly min?: number; readonly max?: number }
  | { readonly kind: "text"; readonly format?: TextFormat }
  /** A list of texts, one in each line. */
  | { readonly kind: "lines" }
  /** Only one value is allowed. */
  | { readonly kind: "fixed" }
  | { readonly kind: "raw" };

/** What a text stands for, where browsers have a control of their own for it. */
export type TextFormat = "email" | "uri" | "date" | "date-time";

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
  const choice = choiceOf(schema);
  if (choice !== undefined) return choice === "other" ? RAW : { kind: "choice", ...choice };
  switch (schema["type"]) {
    case "boolean":
      return hasOnly(schema, ["type"]) ? { kind: "switch" } : RAW;
    case "string":
      return hasOnly(schema, OF_TEXT) ? { kind: "text", ...formatOf(schema) } : RAW;
    case "integer":
    case "number":
      return hasOnly(schema, OF_NUMBER) ? numberForm(schema) : RAW;
    case "array": {
      const items = schema["items"];
      if (!hasOnly(schema, OF_LIST) || typeof items !== "object" || items === null) return RAW;
      const some = choiceOf(items as Schema);
      if (some !== undefined) return some === "other" ? RAW : { kind: "several", ...some };
      const isLines = (items as Schema)["type"] === "string" && hasOnly(items as Schema, OF_TEXT);
      return isLines ? { kind: "lines" } : RAW;
    }
    default:
      return RAW;
  }
}

interface Choice {
  readonly options: readonly string[];
  readonly names?: readonly string[];
}

/** Undefined if it is no choice, “other” if it is one of something else than texts. */
function choiceOf(schema: Schema): Choice | "other" | undefined {
  const { enum: options, enumNames: names } = schema;
  if (Array.isArray(options)) {
    if (!hasOnly(schema, ["type", "enum", "enumNames"]) || !areTexts(options)) return "other";
    return { options, ...(areTexts(names) && names.length === options.length && { names }) };
  }
  const ways = schema["oneOf"] ?? schema["anyOf"];
  if (!Array.isArray(ways) || !ways.every(isConstant)) return undefined;
  const values: readonly unknown[] = ways.map((way) => way["const"]);
  const isPlain =
    hasOnly(schema, ["type", "oneOf", "anyOf"]) && ways.every((way) => hasOnly(way, ["type", "const"]));
  if (!isPlain || !areTexts(values)) return "other";
  return {
    options: values,
    names: ways.map(({ title }, at) => (typeof title === "string" ? title : (values[at] ?? ""))),
  };
}

function isConstant(way: unknown): way is Schema {
  return typeof way === "object" && way !== null && "const" in way;
}

function areTexts(list: unknown): list is readonly string[] {
  return Array.isArray(list) && list.every((one) => typeof one === "string");
}

const FORMATS: readonly unknown[] = ["email", "uri", "date", "date-time"] satisfies TextFormat[];

function formatOf({ format }: Schema): { readonly format?: TextFormat } {
  return FORMATS.includes(format) ? { format: format as TextFormat } : {};
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
  if (form.kind === "lines" || form.kind === "several") return Array.isArray(value) ? value.join("\n") : "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

export type Meant =
  | { readonly kind: "value"; readonly value: unknown }
  /** Nothing is said: the default counts. */
  | { readonly kind: "nothing" }
  | { readonly kind: "unreadable"; readonly why: string };

/** The value that a text in a control stands for. Whether it may be is for the daemon to say. */
export function meantBy(form: FormKind, text: string): Meant {
  if (form.kind === "lines" || form.kind === "several") {
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
