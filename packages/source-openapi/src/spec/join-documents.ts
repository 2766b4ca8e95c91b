import { ToolsError } from "@deputy/tools";
import { isObject } from "@deputy/json-schema";

const MAX_DOCUMENTS = 100;
/** Where the other documents are in the joined one. */
const SECTION = "x-documents";

/**
 * Joins a document and those that it refers to into one, so that all references are internal. Loads only documents
 * beside it or below it: of the same origin and folder. Rejects as `load` does, and with `spec_invalid` for a
 * reference to any other place.
 */
export async function joinDocuments(
  root: unknown,
  location: URL,
  load: (location: URL) => Promise<unknown>,
): Promise<unknown> {
  const folder = new URL(".", location).href;
  const numbers = new Map<string, number>();
  const waiting: URL[] = [];

  const numberOf = (url: URL): number => {
    const known = numbers.get(url.href);
    if (known !== undefined) return known;
    if (!url.href.startsWith(folder) || url.href.includes("%2e"))
      throw new ToolsError("spec_invalid", `It refers to ${url.href}, which does not lie beside it`);
    if (numbers.size >= MAX_DOCUMENTS)
      throw new ToolsError("spec_invalid", `It refers to more than ${MAX_DOCUMENTS} documents`);
    numbers.set(url.href, numbers.size);
    waiting.push(url);
    return numbers.size - 1;
  };

  const rewrite = (ref: string, base: URL): string => {
    const url = URL.parse(ref, base);
    if (url === null) return ref;
    const fragment = url.hash.slice(1);
    url.hash = "";
    if (url.href === location.href) return `#${fragment}`;
    return `#/${SECTION}/${numberOf(url)}${fragment}`;
  };

  const copy = (value: unknown, base: URL): unknown => {
    if (Array.isArray(value)) return value.map((item) => copy(item, base));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        key === "$ref" && typeof inner === "string" ? rewrite(inner, base) : copy(inner, base),
      ]),
    );
  };

  const whole = copy(root, location);
  const documents: Record<string, unknown> = {};
  for (const url of waiting) documents[String(numbers.get(url.href))] = copy(await load(url), url);
  return isObject(whole) && waiting.length > 0 ? { ...whole, [SECTION]: documents } : whole;
}
