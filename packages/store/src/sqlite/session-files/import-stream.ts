import {
  EVENT_SCHEMA_VERSION,
  type StoredEvent,
  storedEventSchema,
  type StreamId,
  streamIdSchema,
} from "@deputy/protocol";
import { type ChainCheck, createChainCheck, type SealedEvent } from "../../log/index.ts";
import type { ImportTarget, StagedImport } from "./import-target.ts";
import { SESSION_FORMAT, SESSION_FORMAT_VERSION } from "./session-file.ts";
import { sha256 } from "../sha256.ts";
import { StoreError } from "../store-error.ts";

export interface Imported {
  readonly stream: StreamId;
  readonly events: number;
}

/**
 * Takes in what `exportStream` wrote: ids, hashes and unknown types stay as they are. Everything is
 * verified before anything of it can be seen; one line is held in memory at a time. Not idempotent.
 * Rejects with `import_invalid` (naming the line), `stream_exists`, and as `append` does.
 */
export async function importStream(
  target: ImportTarget,
  lines: AsyncIterable<string> | Iterable<string>,
): Promise<Imported> {
  const staged = target.beginImport();
  try {
    return await readLines(staged, lines);
  } finally {
    staged.discard();
  }
}

type Fields = Readonly<Record<string, unknown>>;

async function readLines(
  staged: StagedImport,
  lines: AsyncIterable<string> | Iterable<string>,
): Promise<Imported> {
  let number = 0;
  let header: { readonly stream: StreamId; readonly schemaVersion: number } | undefined;
  let chain: ChainCheck | undefined;
  let last: StoredEvent | undefined;
  let ended = false;

  for await (const line of lines) {
    number += 1;
    if (line.trim() === "") continue;
    if (ended) throw invalid(number, "nothing may follow the trailer");
    const fields = parseFields(number, line);
    if (header === undefined || chain === undefined) {
      header = readHeader(number, fields);
      chain = createChainCheck(sha256, header.stream);
    } else if (fields["end"] === true) {
      assertTrailer(number, fields, chain);
      ended = true;
    } else {
      const sealed = readSealed(number, fields, header.stream);
      const damage = chain.next(sealed);
      if (damage !== undefined) throw invalid(number, damage.message);
      staged.add(sealed);
      last = sealed.event;
    }
  }
  if (header === undefined || chain === undefined || last === undefined || !ended)
    throw invalid(number, "the file ends before its trailer");
  await staged.commit({ schemaVersion: header.schemaVersion, last, hash: chain.point.hash });
  return { stream: header.stream, events: last.seq };
}

function parseFields(number: number, line: string): Fields {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null) return value as Fields;
  } catch (cause) {
    throw invalid(number, "it is not JSON", cause);
  }
  throw invalid(number, "it is not an object");
}

function readHeader(number: number, fields: Fields): { stream: StreamId; schemaVersion: number } {
  if (fields["format"] !== SESSION_FORMAT) throw invalid(number, "the file is not an exported session");
  if (fields["version"] !== SESSION_FORMAT_VERSION)
    throw invalid(number, `format version ${String(fields["version"])} is not known to this Deputy`);
  const stream = streamIdSchema.safeParse(fields["stream"]);
  const { schemaVersion } = fields;
  if (!stream.success || typeof schemaVersion !== "number") throw invalid(number, "the header is incomplete");
  if (schemaVersion > EVENT_SCHEMA_VERSION) throw invalid(number, "a newer Deputy wrote these events");
  return { stream: stream.data, schemaVersion };
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
