import { BundlesError } from "../bundles-error.ts";

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/**
 * The one way in which a value is written: names sorted, no blanks, whole numbers only (RFC 8785 with that limit).
 * Throws `bundle_invalid` for anything that has no such form.
 */
export function canonicalText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((item: Json) => canonicalText(item)).join(",")}]`;
  if (typeof value === "number" && !Number.isSafeInteger(value))
    throw new BundlesError("bundle_invalid", "A number of a signed document is not whole.");
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  entries.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([name, item]) => `${JSON.stringify(name)}:${canonicalText(item)}`).join(",")}}`;
}
