/**
 * What a report must have, in words: `action "opened" and repository.name "site"`; empty for a filter that lets
 * everything pass. Filters described in the same words let the same reports pass.
 */
export function describeFilter(filter: Readonly<Record<string, unknown>>): string {
  return [...fieldsOf(filter, "")].join(" and ");
}

function* fieldsOf(filter: Readonly<Record<string, unknown>>, before: string): Iterable<string> {
  for (const [key, wanted] of Object.entries(filter)) {
    const name = `${before}${/^[\w-]+$/.test(key) ? key : JSON.stringify(key)}`;
    if (isRecord(wanted) && Object.keys(wanted).length > 0) yield* fieldsOf(wanted, `${name}.`);
    else yield `${name} ${JSON.stringify(wanted)}`;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
