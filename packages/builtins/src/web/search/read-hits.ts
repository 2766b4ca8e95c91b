import type { z } from "zod";
import { ToolsError } from "@deputy/tools";
import { decodeReferences } from "@deputy/net/character-references";
import type { SearchHit } from "../web-tools.ts";

const MAX_TITLE_CHARS = 300;
const MAX_SNIPPET_CHARS = 1_000;
const MAX_URL_CHARS = 2_000;

/** One result, with the provider's own names for its parts. */
interface RawHit {
  readonly title: string;
  readonly url: string;
  readonly snippet: string | null | undefined;
  readonly published: string | null | undefined;
}

/** Parses a provider's answer by its documented form. Throws `search_failed`. */
export function parseAnswer<T extends z.ZodType>(schema: T, provider: string, answer: unknown): z.output<T> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new ToolsError(
    "search_failed",
    `${provider} does not help: its answer has not the form it should have`,
  );
}

/** The first `count` results that have a valid address, each page once. */
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

/** Removes the marks that providers put around matching words. */
function plain(text: string, maxChars: number): string {
  return decodeReferences(text.replaceAll(/<\/?(?:strong|b|em|mark)>/gi, ""))
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, maxChars);
}
