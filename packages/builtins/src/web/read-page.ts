import { cutText } from "@deputy/kit";
import { type ToolContext, ToolsError } from "@deputy/tools";
import { readableText } from "@deputy/net/readable-text";
import { decodeText } from "./decode-text.ts";
import { readBody } from "./read-body.ts";

const HTML_TYPE = /^(?:text\/html|application\/xhtml\+xml)$/;

const JSON_TYPE = /^(?:application|text)\/(?:[\w.-]+\+)?json$/;

const TEXT_TYPE =
  /^text\/|^application\/(?:[\w.-]+\+)?(?:xml|yaml|toml|csv)$|^application\/(?:(?:x-)?(?:javascript|ecmascript|yaml|toml|sh|ndjson|typescript)|graphql|sql|x-www-form-urlencoded|jsonl|rtf|mbox)$/;

/** Types that servers send when they do not know the type. */
const UNSAID = /^$|^application\/octet-stream$|^binary\/octet-stream$|^unknown\/unknown$/;

const LOOKS_LIKE_HTML = /^\s*(?:<!--[\s\S]{0,500}?-->\s*)?<(?:!doctype html|html|head|body|h1|title)\b/i;

const LOOKED_AT = 1_024;

export interface Page {
  /** The final address, after redirects. */
  readonly url: string;
  readonly status: number;
  readonly contentType: string;
  readonly title?: string;
  readonly text: string;
  /** True when there is more than the text has. */
  readonly truncated: boolean;
  /** Content that is not text, kept for the user. */
  readonly attachment?: {
    readonly blobId: string;
    readonly name: string;
    readonly mimeType: string;
    readonly bytes: number;
  };
}

export interface PageOptions {
  /** `raw`: the text as it was sent. */
  readonly format: "text" | "markdown" | "raw";
  readonly maxChars: number;
  /** Keeps what is no text; absent where nothing does. */
  readonly attach?: ToolContext["attach"] | undefined;
}

/** The most that is read of a page: more takes time, and no reader needs that much. */
const MAX_BYTES = 2 * 1024 * 1024;

const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** Indented, every level makes all of its lines longer. */
const MAX_INDENTED_DEPTH = 64;

/**
 * Reads a response as text. Other content becomes an attachment. Rejects with `content_unsupported` when that is not
 * possible, as `attach` and the body do, or with the signal's reason.
 */
export async function readPage(response: Response, options: PageOptions, signal: AbortSignal): Promise<Page> {
  const contentType = response.headers.get("content-type") ?? "";
  const isFile = contentKind(contentType, new Uint8Array()) === "binary" && options.attach !== undefined;
  const { bytes, isWhole } = await readBody(response, isFile ? MAX_FILE_BYTES : MAX_BYTES, signal);
  const kind = contentKind(contentType, bytes);
  const { url, status } = response;
  const page = { url, status, contentType: essenceOf(contentType) };
  if (kind === "binary") {
    if (options.attach === undefined || !isWhole)
      throw unsupported(response, contentType, bytes.length, isWhole);
    const file = { name: fileName(url), mimeType: page.contentType || "application/octet-stream" };
    const { blobId } = await options.attach({ ...file, bytes });
    return { ...page, text: "", truncated: false, attachment: { blobId, ...file, bytes: bytes.length } };
  }
  const source = decodeText(bytes, contentType);
  if (kind === "html" && options.format !== "raw") {
    const { format, maxChars } = options;
    const { title, text, truncated } = await readableText(
      source,
      { base: new URL(url), format, maxChars },
      signal,
    );
    return { ...page, ...(title === "" ? {} : { title }), text, truncated: truncated || !isWhole };
  }
  const text = kind === "json" && isWhole && options.format !== "raw" ? indentJson(source) : source;
  return {
    ...page,
    text: cutText(text, options.maxChars),
    truncated: text.length > options.maxChars || !isWhole,
  };
}

/** Text that is not JSON, or would grow too much, stays unchanged. */
function indentJson(text: string): string {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === "[" || bracket === "{" ? 1 : -1;
    if (depth > MAX_INDENTED_DEPTH) return text;
  }
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The last part of an address, as far as it can be a file's name. */
function fileName(url: string): string {
  const last = new URL(url).pathname.split("/").at(-1) ?? "";
  return (
    last
      .replaceAll(/[^\w.-]+/g, "_")
      .replace(/^\.+/, "")
      .slice(-100) || "file"
  );
}

function unsupported(response: Response, contentType: string, bytes: number, isWhole: boolean): ToolsError {
  const what = essenceOf(contentType) || "something of no known type";
  const size = `, ${isWhole ? "" : "more than "}${bytes} bytes`;
  return new ToolsError(
    "content_unsupported",
    `${new URL(response.url).host} sent ${what}${size} (status ${response.status}), which is no text`,
    { hint: "Look for the same as a web page or as text." },
  );
}

type ContentKind = "html" | "json" | "text" | "binary";

/** The media type without its parameters; empty when there is none. */
function essenceOf(contentType: string): string {
  const essence = (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
  return /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(essence) ? essence : "";
}

/** The kind of a body, by its type, or by its bytes when the type says nothing. */
function contentKind(contentType: string, bytes: Uint8Array): ContentKind {
  const essence = essenceOf(contentType);
  const beginning = bytes.subarray(0, LOOKED_AT);
  const isWide =
    (beginning[0] === 0xff && beginning[1] === 0xfe) || (beginning[0] === 0xfe && beginning[1] === 0xff);
  if (beginning.includes(0) && !isWide && !/charset\s*=\s*"?utf-?(?:16|32)/i.test(contentType))
    return "binary";
  if (HTML_TYPE.test(essence)) return "html";
  if (JSON_TYPE.test(essence)) return "json";
  if (TEXT_TYPE.test(essence)) return "text";
  if (!UNSAID.test(essence)) return "binary";
  const text = new TextDecoder("latin1").decode(beginning);
  if (text.startsWith("%PDF-") || text.startsWith("PK\u0003\u0004")) return "binary";
  return LOOKS_LIKE_HTML.test(text) ? "html" : "text";
}
