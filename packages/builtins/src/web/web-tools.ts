import { z } from "zod";
import { defineTool, type ToolTree, ToolsError } from "@deputy/tools";
import type { GuardedFetch } from "@deputy/net";

/** Whoever is asked what the web has about something. */
export interface SearchProvider {
  /** The name that the user knows. */
  readonly name: string;
  /**
   * The results, the best first, at most `count`. Rejects with `search_failed`, or as the network access does. Others
   * wrote all of it.
   */
  search(query: string, count: number, signal: AbortSignal): Promise<readonly SearchHit[]>;
}

export interface SearchHit {
  readonly title: string;
  readonly url: string;
  /** A short extract of the page, without marks. */
  readonly snippet: string;
  /** In the provider's form: a date, or words such as “2 days ago”. */
  readonly published?: string;
}

const MOST_HITS = 20;

export interface WebDeps {
  /** Opened when a page is first read. */
  readonly fetch: () => Promise<GuardedFetch>;
  /** Absent where none is configured: then a call of `web.search` says how the user sets one. */
  readonly search?: (() => Promise<SearchProvider>) | undefined;
}

const DEFAULT_CHARS = 50_000;
const MOST_CHARS = 1_000_000;
const MOST_URL_CHARS = 4_096;
const TIMEOUT_MS = 90_000;
const ACCEPT =
  "text/html, application/xhtml+xml, text/markdown, text/plain;q=0.9, application/json;q=0.9, */*;q=0.5";

/** `tools.web.*`: the internet, to read. */
export function webTools(deps: WebDeps): ToolTree {
  const fetch = fetchTool(deps.fetch);
  return { fetch, search: searchTool(deps.search) };
}

function fetchTool(open: WebDeps["fetch"]) {
  return defineTool({
    description: "Read a web page or website, or other text on the internet, by its URL",
    approval: "auto",
    // It changes nothing there, but the server of an address can read the data in that address.
    effect: "egress",
    // Pages are read one after the other: asked about each, nobody would look any more.
    anyValues: true,
    critical: ["url"],
    idempotent: true,
    limits: { timeoutMs: TIMEOUT_MS },
    throws: [
      "request_invalid",
      "address_refused",
      "http_unreachable",
      "content_unsupported",
      "response_too_large",
    ],
    args: z.object({
      url: z.string().min(1).max(MOST_URL_CHARS).describe("With https:// or http://"),
      maxChars: z.int().min(1).max(MOST_CHARS).default(DEFAULT_CHARS),
      format: z
        .enum(["text", "markdown", "raw"])
        .default("markdown")
        .describe("markdown keeps where links lead; raw is what was sent"),
    }),
    returns: z.object({
      url: z.string().describe("Where it was found, after redirects"),
      status: z.int(),
      contentType: z.string(),
      title: z.string().optional(),
      text: z.string(),
      truncated: z.boolean().describe("There is more of it"),
      attachment: z
        .object({ blobId: z.string(), name: z.string(), mimeType: z.string(), bytes: z.int() })
        .optional()
        .describe("What is no text, such as a PDF, kept for the user"),
    }),
    source: ({ url }) => `web.fetch ${URL.parse(url)?.host ?? ""}`.trim(),
    run: async ({ url, ...options }, { signal, attach }) => {
      const parsed = URL.parse(url);
      if (parsed === null)
        throw new ToolsError("request_invalid", "This is no web address", {
          hint: "Write all of it: https://example.org/page.",
          quotes: [],
        });
      const fetch = await open();
      const { readPage } = await import("./read-page.ts");
      const response = await fetch(parsed, { headers: { accept: ACCEPT }, signal });
      return await readPage(response, { ...options, attach }, signal);
    },
    formatApproval: ({ url }) => {
      const { host = "" } = URL.parse(url) ?? {};
      return {
        title: `Read a page of ${host.slice(0, 200)}`,
        details: `${url}\n\nWhoever serves ${host} gets to read this address, with everything that is in it.`,
      };
    },
  });
}

/** Who can set it is the user, so the message is written to be passed on. */
const NO_PROVIDER = "No search provider is set";
const HOW_TO_SET =
  "Tell the user: `deputy config set tools.webSearch.provider duckduckgo` needs no key; docs/web.md has Brave and SearXNG. A page whose address is known can be read with web.fetch.";

function searchTool(open: WebDeps["search"]) {
  return defineTool({
    description: "Search the web; the pages found are read with web.fetch",
    approval: "auto",
    // Only the provider that the user chose sees the query, whoever wrote it.
    effect: "read",
    limits: { timeoutMs: TIMEOUT_MS },
    throws: ["search_failed", "http_unreachable"],
    args: z.object({
      query: z.string().trim().min(1).max(1_000),
      count: z.int().min(1).max(MOST_HITS).default(10),
    }),
    returns: z.array(
      z.object({
        title: z.string(),
        url: z.string(),
        snippet: z.string(),
        published: z.string().optional(),
      }),
    ),
    run: async ({ query, count }, { signal }) => {
      if (open === undefined) throw new ToolsError("search_failed", NO_PROVIDER, { hint: HOW_TO_SET });
      return [...(await (await open()).search(query, count, signal))];
    },
  });
}
