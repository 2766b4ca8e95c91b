import type { SessionId } from "@deputy/kit";
import {
  EVENT_SCHEMA_VERSION,
  isSessionStream,
  type StoredEvent,
  storedEventSchema,
  type StreamId,
  streamIdSchema,
} from "@deputy/protocol";
import { type ChainCheck, createChainCheck, type SealedEvent } from "../../log/index.ts";
import { SESSION_FORMAT, SESSION_FORMAT_VERSION } from "./session-file.ts";
import { sha256 } from "../sha256.ts";
import { StoreError } from "../store-error.ts";

/** A session as read from a file. No log contains it yet. */
export interface SessionFile {
  readonly stream: SessionId;
  readonly events: readonly StoredEvent[];
}

/** Limit for all lines together, in characters: the file is held in memory until all of it is verified. */
const MAX_FILE_CHARS = 512 * 1024 * 1024;

/**
 * Reads what `exportStream` wrote of a session, and verifies all of it. This shows that the file is complete,
 * not who wrote it: anyone can compute the hashes of a forged file. Rejects with `import_invalid`, naming the
 * line.
 */
export async function readSessionFile(
  lines: AsyncIterable<string> | Iterable<string>,
  maxChars = MAX_FILE_CHARS,
): Promise<SessionFile> {
  let number = 0;
  let chars = 0;
  let stream: SessionId | undefined;
  let chain: ChainCheck | undefined;
  const events: StoredEvent[] = [];
  let ended = false;

  for await (const line of lines) {
    number += 1;
    chars += line.length;
    if (chars > maxChars) throw invalid(number, `the file has more than ${maxChars} characters`);
    if (line.trim() === "") continue;
    if (ended) throw invalid(number, "nothing may follow the trailer");
    const fields = parseFields(number, line);
    if (stream === undefined || chain === undefined) {
      stream = readHeader(number, fields);
      chain = createChainCheck(sha256, stream);
    } else if (fields["end"] === true) {
      assertTrailer(number, fields, chain);
      ended = true;
    } else {
      const sealed = readSealed(number, fields, stream);
      const damage = chain.next(sealed);
      if (damage !== undefined) throw invalid(number, damage.message);
      events.push(sealed.event);
    }
  }
  if (stream === undefined || !ended) throw invalid(number, "the file ends before its trailer");
  return { stream, events };
}

type Fields = Readonly<Record<string, unknown>>;

function parseFields(number: number, line: string): Fields {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null) return value as Fields;
  } catch (cause) {
    throw invalid(number, "it is not JSON", cause);
  }
  throw invalid(number, "it is not an object");
}

function readHeader(number: number, fields: Fields): SessionId {
  if (fields["format"] !== SESSION_FORMAT) throw invalid(number, "the file is not an exported session");
  if (fields["version"] !== SESSION_FORMAT_VERSION)
    throw invalid(number, `format version ${String(fields["version"])} is unknown to this Deputy`);
  const stream = streamIdSchema.safeParse(fields["stream"]);
  const { schemaVersion } = fields;
  if (!stream.success || typeof schemaVersion !== "number") throw invalid(number, "the header is incomplete");
  if (schemaVersion > EVENT_SCHEMA_VERSION) throw invalid(number, "a newer Deputy wrote these events");
  if (!isSessionStream(stream.data))
    throw invalid(number, `only sessions can be imported, and ${stream.data} is not a session`);
  return stream.data;
}

function readSealed(number: number, fields: Fields, stream: StreamId): SealedEvent {
  const parsed = storedEventSchema.safeParse(fields);
  const { salt } = fields;
  if (!parsed.success || (typeof salt !== "string" && salt !== null))
    throw invalid(number, "it is not an event");
  const { turnId, data, ...rest } = parsed.data;
  if (rest.stream !== stream) throw invalid(number, `it belongs to ${rest.stream}, not to ${stream}`);
  const event: StoredEvent = { ...rest, ...(turnId === undefined ? undefined : { turnId }), data };
  return { event, salt, payload: data === null || data === undefined ? null : JSON.stringify(data) };
}

function assertTrailer(number: number, fields: Fields, chain: ChainCheck): void {
  const { seq, hash } = chain.point;
  if (seq === 0) throw invalid(number, "the session has no events");
  if (fields["count"] !== seq || fields["headHash"] !== hash)
    throw invalid(number, "the trailer does not match the events before it");
}

function invalid(line: number, why: string, cause?: unknown): StoreError {
  return new StoreError("import_invalid", `Line ${line}: ${why}`, {
    cause,
    hint: "Nothing was imported.",
  });
}
