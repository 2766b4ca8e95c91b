import { ToolsError } from "../tools-error.ts";
import { contentKind, essenceOf } from "./content-kind.ts";
import { decodeText } from "./decode-text.ts";
import { cut, readableText } from "./html/readable-text.ts";
import { readBody } from "./read-body.ts";

export interface Page {
  /** Where it was found in the end. */
  readonly url: string;
  readonly status: number;
  readonly contentType: string;
  readonly title?: string;
  readonly text: string;
  /** Whether there is more than the text has. */
  readonly truncated: boolean;
}

export interface PageOptions {
  /** `raw`: the text as it was sent. */
  readonly format: "text" | "markdown" | "raw";
  readonly maxChars: number;
}

/** Of a page; reading more takes time, and nobody reads that much. */
const MAX_BYTES = 2 * 1024 * 1024;
/** Indented, every level makes all of its lines longer. */
const MAX_INDENTED_DEPTH = 64;

/**
 * An answer as text. Rejects with `content_unsupported` for what is no text, as its body does, or with the signal's
 * reason.
 */
export async function readPage(response: Response, options: PageOptions, signal: AbortSignal): Promise<Page> {
  const contentType = response.headers.get("content-type") ?? "";
  const { bytes, isWhole } = await readBody(response, MAX_BYTES, signal);
  const kind = contentKind(contentType, bytes);
  const { url, status } = response;
  if (kind === "binary") throw unsupported(response, contentType, isWhole ? bytes.length : undefined);
  const page = { url, status, contentType: essenceOf(contentType) };
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
    text: cut(text, options.maxChars),
    truncated: text.length > options.maxChars || !isWhole,
  };
}

/** What cannot be read, or would grow too much, stays as it is. */
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

function unsupported(response: Response, contentType: string, bytes: number | undefined): ToolsError {
  const what = essenceOf(contentType) || "something of no known type";
  const size = bytes === undefined ? "" : `, ${bytes} bytes`;
  return new ToolsError(
    "content_unsupported",
    `${new URL(response.url).host} sent ${what}${size} (status ${response.status}), which is no text`,
    { hint: "Look for the same as a web page or as text." },
  );
}
