import { pipeline, Readable, type Transform } from "node:stream";
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";
import { ToolsError } from "@deputy/tools";

/** The codings that requests accept. */
export const ACCEPTED_CODINGS = "gzip, deflate, br, zstd";
/** Each coding multiplies the output of the one before it. */
const MOST_CODINGS = 2;
/** 8 MB, as the coding is defined for the web: a frame may demand far more memory. */
const ZSTD_WINDOW_LOG = 23;

/** The codings of an answer, outermost first. Throws `response_invalid` for an unknown one. */
export function codingsOf(header: string | null): readonly string[] {
  const codings = (header ?? "")
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
  const unknown = codings.find((coding) => !/^(?:x-)?gzip$|^deflate$|^br$|^zstd$/.test(coding));
  if (unknown !== undefined || codings.length > MOST_CODINGS)
    throw new ToolsError("response_invalid", "The answer is encoded in a way that cannot be read");
  return codings.toReversed();
}

/** Decompresses while it is read, and only as much as is read. An error of the source is an error of the result. */
export function decodeBody(source: Readable, codings: readonly string[]): Readable {
  return codings.reduce<Readable>((encoded, coding) => {
    if (coding === "deflate") return Readable.from(inflate(encoded), { objectMode: false });
    return pipeTo(encoded, decoderOf(coding));
  }, source);
}

function decoderOf(coding: string): Transform {
  if (coding === "br") return createBrotliDecompress();
  if (coding === "zstd")
    return createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } });
  return createGunzip();
}

/** The standard requires zlib's header, but many servers leave it out. */
async function* inflate(source: Readable): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  const first = await chunks.next();
  if (first.done === true) return;
  const hasHeader = ((first.value[0] ?? 0) & 0x0f) === 8;
  const whole = Readable.from(withFirst(first.value, chunks), { objectMode: false });
  yield* pipeTo(whole, hasHeader ? createInflate() : createInflateRaw());
}

async function* withFirst(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

/** Reading the end reports the failure. */
function pipeTo(source: Readable, decoder: Transform): Readable {
  pipeline(source, decoder, () => undefined);
  return decoder;
}
