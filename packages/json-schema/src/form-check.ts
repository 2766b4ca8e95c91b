import { fieldsOf } from "./form-fields.ts";
import { createSchemaCheck, fieldOf, isObject } from "./schema-check.ts";

/** What each format that a form may ask for wants, and whether a text is of it. */
const FORMATS: ReadonlyMap<unknown, { readonly wanted: string; readonly fits: (text: string) => boolean }> =
  new Map(
    Object.entries({
      email: { wanted: "a mail address", fits: (text) => /^[^\s@<>,;]+@[^\s@<>,;]+$/.test(text) },
      uri: {
        wanted: "a whole address, such as https://example.org",
        fits: (text) => /^[a-z][a-z0-9+.-]*:\S+$/i.test(text) && URL.canParse(text),
      },
      date: { wanted: "a date, such as 2026-01-31", fits: isDate },
      "date-time": {
        wanted: "a date and time with its zone, such as 2026-01-31T09:00:00Z",
        fits: (text) => {
          const [, date = "", time = ""] = /^(\d{4}-\d{2}-\d{2})[T ](.*)$/i.exec(text) ?? [];
          return (
            isDate(date) &&
            /^(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i.test(
              time,
            )
          );
        },
      },
    }),
  );

/**
 * Checks what was filled into a form: like any value, and the formats of its fields, too, because whoever asked refuses
 * another one when nobody is asked any more. Each problem names its field. Never throws.
 */
export function checkForm(schema: unknown, value: unknown): readonly string[] {
  const problems = createSchemaCheck(() => undefined, "readOnly")(schema, value);
  const properties = fieldOf(schema, "properties");
  if (!isObject(properties) || !isObject(value)) return problems;
  const misfits = Object.entries(value).flatMap(([name, given]) => {
    const format = FORMATS.get(fieldOf(fieldOf(properties, name), "format"));
    if (format === undefined || typeof given !== "string" || format.fits(given)) return [];
    return [`${name}: must be ${format.wanted}`];
  });
  return [...problems, ...misfits];
}

const WORDS: Readonly<Record<string, string>> = {
  "is missing": "Something must stand here.",
  "must be integer, not number": "It must be a whole number.",
};

/** What does not fit: in words for whoever fills it in by the field, and what is about no field of the form apart. */
export function misfitsOf(
  schema: unknown,
  value: unknown,
): { readonly byField: readonly (readonly [string, string])[]; readonly others: readonly string[] } {
  const names = new Set((fieldsOf(schema) ?? []).map(({ name }) => name));
  const byField: (readonly [string, string])[] = [];
  const others: string[] = [];
  for (const problem of checkForm(schema, value)) {
    const at = problem.indexOf(": ");
    const [place, what] = [problem.slice(0, at), problem.slice(at + 2)];
    const name = [...names].find(
      (one) => place === one || place.startsWith(`${one}.`) || place.startsWith(`${one}[`),
    );
    if (name === undefined) others.push(`${problem}.`);
    else byField.push([name, WORDS[what] ?? `It ${what}.`]);
  }
  return { byField, others };
}

/** A day that there is. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}
