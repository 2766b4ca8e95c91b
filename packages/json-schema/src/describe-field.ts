import { fieldOf, isObject, type JsonObject, listOf } from "./schema-check.ts";

const FORMATS: ReadonlyMap<unknown, string> = new Map([
  ["email", "a mail address"],
  ["uri", "an address"],
  ["date", "a date, such as 2026-01-31"],
  ["date-time", "a date and time, such as 2026-01-31T09:00:00Z"],
]);

/**
 * What a field of a form takes, in words, for those who see no form: `size: a whole number, from 1 to 9; must be given`.
 * What the server says about it comes after. A field of another kind is shown as it is.
 */
export function describeField(name: string, field: unknown, isRequired: boolean): string {
  const { title, description, default: proposed } = isObject(field) ? field : {};
  const said = [title, description].filter((text) => typeof text === "string" && text !== "").join(": ");
  const kind = isObject(field) ? (kindInWords(field) ?? JSON.stringify(field)) : "anything";
  const notes = [
    kind,
    ...(proposed === undefined ? [] : [`proposed: ${JSON.stringify(proposed)}`]),
    ...(isRequired && proposed === undefined ? ["must be given"] : []),
  ];
  return `${name}: ${notes.join("; ")}${said === "" ? "" : ` (${said})`}`;
}

/** Undefined for a field of a kind that forms do not have. */
export function kindInWords(field: JsonObject): string | undefined {
  const choices = choicesOf(field);
  if (choices !== undefined) return `one of ${choices.join(", ")}`;
  switch (field["type"]) {
    case "boolean":
      return "true or false";
    case "integer":
      return `a whole number${boundsInWords(field["minimum"], field["maximum"], "")}`;
    case "number":
      return `a number${boundsInWords(field["minimum"], field["maximum"], "")}`;
    case "string":
      return `${FORMATS.get(field["format"]) ?? "text"}${boundsInWords(field["minLength"], field["maxLength"], " characters")}`;
    case "array": {
      const items = choicesOf(field["items"]);
      if (items === undefined) return undefined;
      return `a list of ${items.join(", ")}${boundsInWords(field["minItems"], field["maxItems"], " of them")}`;
    }
    default:
      return undefined;
  }
}

/** The values that there are, each with its name for people where it has one. */
function choicesOf(field: unknown): readonly string[] | undefined {
  const titled = [fieldOf(field, "oneOf"), fieldOf(field, "anyOf")].find((all) => Array.isArray(all));
  if (titled !== undefined) {
    const all = listOf(titled);
    if (!all.every((one) => isObject(one) && Object.hasOwn(one, "const"))) return undefined;
    return all.map((one) => named(fieldOf(one, "const"), fieldOf(one, "title")));
  }
  const values = fieldOf(field, "enum");
  if (!Array.isArray(values)) return undefined;
  const names = listOf(fieldOf(field, "enumNames"));
  return values.map((value, n) => named(value, names[n]));
}

function named(value: unknown, name: unknown): string {
  const shown = JSON.stringify(value);
  return typeof name === "string" && name !== value ? `${shown} (${name})` : shown;
}

/** `, from 1 to 9`, with `unit` after it; nothing where there are no bounds. */
export function boundsInWords(least: unknown, most: unknown, unit: string): string {
  const [from, to] = [least, most].map((bound) => (typeof bound === "number" ? bound : undefined));
  if (from !== undefined && to !== undefined) return `, from ${from} to ${to}${unit}`;
  if (from !== undefined) return `, at least ${from}${unit}`;
  return to === undefined ? "" : `, at most ${to}${unit}`;
}
