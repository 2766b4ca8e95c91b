import type { Chunker } from "./chunker.ts";

/**
 * A fetch whose answers come in exactly the chunks that `chunker` makes, one for each read. On a real
 * connection, chunks that arrive together are read as one, so no server can guarantee this. Waits for the
 * whole answer first, which comes from `ask`.
 */
export function createChunkedFetch(chunker: () => Chunker, ask: typeof fetch = fetch): typeof fetch {
  return async (input, init) => {
    const response = await ask(input, init);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const chunks = chunker()(bytes)[Symbol.iterator]();
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const next = chunks.next();
          if (next.done === true) controller.close();
          else controller.enqueue(next.value);
        },
      },
      { highWaterMark: 0 },
    );
    return new Response(body, { status: response.status, headers: response.headers });
  };
}
