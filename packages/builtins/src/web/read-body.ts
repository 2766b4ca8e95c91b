import { throwIfAborted } from "@deputy/kit";

/**
 * Reads as much of a body as is wanted, and does not wait for the rest. Rejects as the body does, or with the
 * signal's reason.
 */
export async function readBody(
  response: Response,
  maxBytes: number,
  signal: AbortSignal,
): Promise<{ readonly bytes: Uint8Array; readonly isWhole: boolean }> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  if (response.body === null) return { bytes: new Uint8Array(), isWhole: true };
  const reader = response.body.getReader();
  try {
    while (length <= maxBytes) {
      const { done, value } = await reader.read();
      throwIfAborted(signal);
      if (done) break;
      chunks.push(value);
      length += value.length;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return { bytes: bytes.subarray(0, maxBytes), isWhole: length <= maxBytes };
}
