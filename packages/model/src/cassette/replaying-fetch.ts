import { ModelError } from "../model-error.ts";
import type { Fetch } from "../wire/watched-wire.ts";
import type { Cassette, RecordedRequest, RecordedResponse } from "./cassette.ts";
import { describeRequest } from "./recorded-request.ts";

export interface ReplayingFetch {
  /** Rejects with `cassette_mismatch` for any request but the next one on the cassette. */
  readonly fetch: Fetch;
  /** Throws `cassette_mismatch` if requests are left on the cassette. */
  assertPlayed(): void;
}

/** Answers from a cassette, without a network. `redact` is the one it was recorded with. */
export function createReplayingFetch(
  cassette: Cassette,
  deps: { readonly redact: (text: string) => string },
): ReplayingFetch {
  let played = 0;
  return {
    async fetch(input, init) {
      init?.signal?.throwIfAborted();
      const asked = describeRequest(input, init, deps.redact);
      const next = cassette.recordings[played];
      if (next === undefined) throw mismatch(`it has ${played} requests, and this is one more`);
      const difference = findDifference(next.request, asked);
      if (difference !== undefined) throw mismatch(`request ${played + 1} ${difference}`);
      played += 1;
      return answer(next.response);
    },
    assertPlayed() {
      const left = cassette.recordings.length - played;
      if (left > 0) throw mismatch(`${left} of its ${cassette.recordings.length} requests were not made`);
    },
  };
}

function answer({ status, headers, body, end }: RecordedResponse): Response {
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(body)),
    pull: (controller) =>
      end === "cut" ? controller.error(new TypeError("terminated")) : controller.close(),
  });
  return new Response(stream, { status, headers });
}

const AROUND = 60;

/** Where the two differ, with a little of the text around. */
function findDifference(recorded: RecordedRequest, asked: RecordedRequest): string | undefined {
  const [before, now] = [recorded, asked].map(({ method, path }) => `${method} ${path}`);
  if (before !== now) return `was ${before} and is ${now}`;
  if (recorded.body === asked.body) return undefined;
  let at = 0;
  while (recorded.body[at] === asked.body[at]) at += 1;
  const show = (body: string): string => JSON.stringify(body.slice(Math.max(0, at - AROUND), at + AROUND));
  return `has another body from character ${at} on: it was ${show(recorded.body)} and is ${show(asked.body)}`;
}

function mismatch(what: string): ModelError {
  return new ModelError("cassette_mismatch", `The cassette does not match: ${what}. Record it again.`);
}
