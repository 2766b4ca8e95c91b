import type { GuardedFetch } from "@deputy/net";
import { ToolsError } from "@deputy/tools";

/**
 * The same fetch. Where a streamed answer to a request is too large, `onTooLarge` is told: the SDK only takes the
 * stream for ended, and whoever made the request would wait for nothing.
 */
export function watchStreams(fetch: GuardedFetch, onTooLarge: (error: ToolsError) => void): GuardedFetch {
  return async (target, init) => {
    const response = await fetch(target, init);
    const { body, status, statusText, headers } = response;
    const isStream = headers.get("content-type")?.startsWith("text/event-stream") === true;
    if (init?.method !== "POST" || !isStream || body === null) return response;
    return new Response(watch(body, onTooLarge), { status, statusText, headers });
  };
}

function watch(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onTooLarge: (error: ToolsError) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  const source: UnderlyingDefaultSource<Uint8Array<ArrayBuffer>> = {
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        if (error instanceof ToolsError && error.code === "response_too_large") onTooLarge(error);
        throw error;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}
