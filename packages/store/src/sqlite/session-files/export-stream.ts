import type { StreamId } from "@deputy/protocol";
import type { SealedSource } from "../rows/log-reads.ts";
import {
  SESSION_FORMAT,
  SESSION_FORMAT_VERSION,
  type SessionHeader,
  type SessionTrailer,
} from "./session-file.ts";
import { StoreError } from "../store-error.ts";

/**
 * A stream as JSON lines, up to its head at the start: header, events with their salts, trailer.
 * Throws `unknown_stream`, and what reading throws.
 */
export async function* exportStream(source: SealedSource, stream: StreamId): AsyncGenerator<string> {
  const head = await source.head(stream);
  if (head === undefined) throw new StoreError("unknown_stream", `There is no stream ${stream}`);
  const header: SessionHeader = {
    format: SESSION_FORMAT,
    version: SESSION_FORMAT_VERSION,
    stream,
    schemaVersion: head.schemaVersion,
  };
  yield JSON.stringify(header);
  for await (const { event, salt } of source.readSealed(stream)) {
    if (event.seq > head.seq) break;
    yield JSON.stringify({ ...event, salt });
  }
  const trailer: SessionTrailer = { end: true, count: head.seq, headHash: head.hash };
  yield JSON.stringify(trailer);
}
