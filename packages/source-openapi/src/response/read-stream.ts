import { ToolsError } from "@deputy/tools";
import { readChunks } from "@deputy/net";

export interface StreamLimits {
  readonly maxBytes: number;
  /** A stream may never end: what arrived until then is the result. */
  readonly maxMs: number;
}

/** Everything that a stream sent until it ended or reached its limit. */
export interface ReadStream {
  readonly items: readonly unknown[];
  readonly end: "complete" | "cut";
}

interface StreamDeps {
  readonly limits: StreamLimits;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Called with each item's text as it comes. */
  readonly onItem: (text: string) => void;
}

/**
 * A body of JSON lines (`lines`) or server-sent events (`events`), item by item. A line that is not JSON stays
 * text. Rejects as `readChunks` does, but not for size: a stream that is too long is cut off.
 */
export async function readStream(
  response: Response,
  kind: "lines" | "events",
  { limits, sleep, onItem }: StreamDeps,
  signal: AbortSignal,
): Promise<ReadStream> {
  const late = new AbortController();
  const over = new AbortController();
  sleep(limits.maxMs, AbortSignal.any([signal, over.signal])).then(
    () => late.abort(),
    () => undefined,
  );
  const items: unknown[] = [];
  const take = (text: string): void => {
    const item = kind === "lines" ? parseLine(text) : parseEvent(text);
    if (item === undefined) return;
    items.push(item);
    onItem(text);
  };
  const separator = kind === "lines" ? /\r?\n|\u001E/ : /\r?\n\r?\n|\r\r/;
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for await (const chunk of readChunks(response, limits.maxBytes, AbortSignal.any([signal, late.signal]))) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split(separator);
      rest = parts.pop() ?? "";
      parts.forEach(take);
    }
    take(rest + decoder.decode());
    return { items, end: "complete" };
  } catch (error) {
    const isTooLong = error instanceof ToolsError && error.code === "response_too_large";
    if (signal.aborted || (!late.signal.aborted && !isTooLong)) throw error;
    return { items, end: "cut" };
  } finally {
    over.abort();
  }
}

function parseLine(text: string): unknown {
  if (text.trim() === "") return undefined;
  return parseOrText(text);
}

function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** One event: its data, parsed if it is JSON, and its name if it has one. */
function parseEvent(text: string): unknown {
  const fields = text.split(/\r?\n|\r/).map((line) => /^([^:]*):? ?(.*)$/s.exec(line));
  const valuesOf = (name: string): readonly string[] =>
    fields.flatMap((field) => (field?.[1] === name ? [field[2] ?? ""] : []));
  const data = valuesOf("data");
  if (data.length === 0) return undefined;
  const event = valuesOf("event").at(-1);
  return { ...(event === undefined ? {} : { event }), data: parseOrText(data.join("\n")) };
}
