import type { z } from "zod";
import { ToolsError } from "@deputy/tools";
import { decodeReferences } from "@deputy/net";
import type { SearchHit } from "./search-provider.ts";

const MAX_TITLE_CHARS = 300;
const MAX_SNIPPET_CHARS = 1_000;
const MAX_URL_CHARS = 2_000;

/** One result, in whatever names the provider has for its parts. */
interface RawHit {
  readonly title: string;
  readonly url: string;
  readonly snippet: string | null | undefined;
  readonly published: string | null | undefined;
}

/** What a provider answered, in the form it is documented to have. Throws `search_failed`. */
export function parseAnswer<T extends z.ZodType>(schema: T, provider: string, answer: unknown): z.output<T> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new ToolsError(
    "search_failed",
    `${provider} does not help: its answer has not the form it should have`,
  );
}

/** As many as are wanted of those that lead somewhere, each page once. */
export function toHits(raw: readonly RawHit[], count: number): readonly SearchHit[] {
  const hits = new Map<string, SearchHit>();
  for (const { title, url, snippet, published } of raw) {
    const found = URL.parse(url);
    if (hits.size >= count) break;
    if (
      found === null ||
      !/^https?:$/.test(found.protocol) ||
      url.length > MAX_URL_CHARS ||
      hits.has(found.href)
    )
      continue;
    hits.set(found.href, {
      title: plain(title, MAX_TITLE_CHARS),
      url: found.href,
      snippet: plain(snippet ?? "", MAX_SNIPPET_CHARS),
      ...(published === undefined || published === null ? {} : { published: plain(published, 100) }),
    });
  }
  return [...hits.values()];
}

/** Providers mark the words that were looked for. */
function plain(text: string, maxChars: number): string {
  return decodeReferences(text.replaceAll(/<\/?(?:strong|b|em|mark)>/gi, ""))
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, maxChars);
}
