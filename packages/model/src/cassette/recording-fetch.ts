import type { Fetch } from "../wire/watched-wire.ts";
import type { Cassette, RecordedRequest } from "./cassette.ts";
import { describeRequest } from "./recorded-request.ts";

export interface RecordingFetch {
  readonly fetch: Fetch;
  /** Everything so far, including the received part of an answer that is still coming. */
  cassette(): Cassette;
}

const KEPT_HEADERS = ["content-type", "retry-after"];

/**
 * Passes requests on and records them. `redact` must remove every secret from a text: it gets whole bodies
 * and addresses, so that no secret hides across two chunks.
 */
export function createRecordingFetch(deps: {
  readonly fetch: Fetch;
  readonly redact: (text: string) => string;
}): RecordingFetch {
  const recorded: Draft[] = [];
  return {
    async fetch(input, init) {
      const request = describeRequest(input, init, deps.redact);
      const response = await deps.fetch(input, init);
      const kept = KEPT_HEADERS.flatMap((name) => {
        const value = response.headers.get(name);
        return value === null ? [] : [[name, value] as const];
      });
      const draft: Draft = {
        request,
        status: response.status,
        headers: Object.fromEntries(kept),
        chunks: [],
        end: "whole",
      };
      recorded.push(draft);
      if (response.body === null) return response;
      const body = copyTo(draft, response.body);
      return new Response(body, { status: response.status, headers: response.headers });
    },
    cassette: () => ({
      recordings: recorded.map(({ request, status, headers, chunks, end }) => ({
        request,
        response: { status, headers, body: deps.redact(decode(chunks)), end },
      })),
    }),
  };
}

/** As far as it has come. */
interface Draft {
  readonly request: RecordedRequest;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: Uint8Array[];
  end: "whole" | "cut";
}

function copyTo(draft: Draft, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          draft.chunks.push(value);
          return controller.enqueue(value);
        } catch (cause) {
          draft.end = "cut";
          return controller.error(cause);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

function decode(chunks: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode();
}
