import { systemCodeOf, throwIfAborted } from "@deputy/kit";
import { ToolsError } from "@deputy/tools";

/**
 * The chunks of a body, counted after decompression. Throws `response_too_large` beyond the limit,
 * `http_unreachable` if the connection breaks, or the signal's reason; then, and if the reader stops early,
 * the connection is closed.
 */
export async function* readChunks(
  response: Response,
  maxBytes: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const stop = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener("abort", stop, { once: true });
  let bytes = 0;
  try {
    for (;;) {
      throwIfAborted(signal);
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throwIfAborted(signal);
        throw new ToolsError("http_unreachable", `The answer broke off: ${reasonOf(cause)}`, { cause });
      });
      throwIfAborted(signal);
      if (done) return;
      bytes += value.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      yield value;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}

export async function readBytes(
  response: Response,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of readChunks(response, maxBytes, signal)) chunks.push(chunk);
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

function tooLarge(maxBytes: number): ToolsError {
  return new ToolsError("response_too_large", `The answer has more than ${maxBytes} bytes`, {
    hint: "Ask for less, or raise `maxResponseBytes` of this tool source.",
  });
}

/** A fetch error says only `fetch failed`; the reason is in its cause. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = systemCodeOf(cause) ?? "";
  return code === "" ? "the connection failed" : code;
}
