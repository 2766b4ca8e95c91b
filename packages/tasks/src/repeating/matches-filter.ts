/** Does the report have every field of the filter, with that value? Nested objects are compared in the same way. */
export function matchesFilter(payload: unknown, filter: unknown): boolean {
  if (filter === undefined) return true;
  if (!isRecord(filter)) return JSON.stringify(payload) === JSON.stringify(filter);
  return (
    isRecord(payload) &&
    Object.entries(filter).every(
      ([name, wanted]) => Object.hasOwn(payload, name) && matchesFilter(payload[name], wanted),
    )
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
