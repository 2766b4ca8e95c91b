import { type FormKind, type Meant, meantBy } from "@deputy/json-schema/form-fields";

const YES = /^(?:y|yes|true)$/i;
const NO = /^(?:n|no|false)$/i;

/** What was typed for a value. A choice is its number, its value or its name; `""` is a text without letters. */
export function readTyped(form: FormKind, typed: string): Meant {
  const text = typed.trim();
  switch (form.kind) {
    case "switch":
      if (YES.test(text)) return { kind: "value", value: true };
      return NO.test(text) ? { kind: "value", value: false } : unreadable("Type y or n.");
    case "choice": {
      const option = optionOf(form, text);
      return option === undefined ? notAmong(form) : { kind: "value", value: option };
    }
    case "several": {
      if (text.startsWith("[")) return meantBy({ kind: "raw" }, text);
      const parts = partsOf(text);
      const options = parts.map((part) => optionOf(form, part));
      return options.includes(undefined) ? notAmong(form) : { kind: "value", value: options };
    }
    case "lines":
      return text.startsWith("[") ? meantBy({ kind: "raw" }, text) : { kind: "value", value: partsOf(text) };
    case "text":
      if (text === '""') return { kind: "value", value: "" };
      if (form.format === undefined) return meantBy(form, typed);
      return meantBy(form, form.format === "date-time" ? withZone(text) : text);
    default:
      return meantBy(form, text);
  }
}

type Choice = Extract<FormKind, { kind: "choice" | "several" }>;

/** Not where a number could be meant as a value itself. */
export function isNumbered({ options, names = [] }: Choice): boolean {
  return ![...options, ...names].some((one) => /^\s*\d+\s*$/.test(one));
}

function optionOf(choice: Choice, text: string): string | undefined {
  const { options, names = [] } = choice;
  if (options.includes(text)) return text;
  if (isNumbered(choice) && /^\d{1,6}$/.test(text)) return options[Number(text) - 1];
  const wanted = text.toLowerCase();
  const found = options.filter(
    (option, n) => option.toLowerCase() === wanted || names[n]?.toLowerCase() === wanted,
  );
  return found.length === 1 ? found[0] : undefined;
}

function notAmong(choice: Choice): Meant {
  const by = isNumbered(choice) ? "its number or its name" : "its name";
  return unreadable(
    choice.kind === "choice"
      ? `That is none of the choices. Type one by ${by}.`
      : `That is not among the choices. Type some by ${by}, with commas between.`,
  );
}

function unreadable(why: string): Meant {
  return { kind: "unreadable", why };
}

function partsOf(text: string): readonly string[] {
  return text
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** A time without a zone is one of the user's own. */
function withZone(text: string): string {
  if (!/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?$/.test(text)) return text;
  const at = new Date(text.replace(" ", "T"));
  return Number.isNaN(at.getTime()) ? text : at.toISOString();
}
