import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCodeOf, throwIfAborted } from "@deputy/kit";
import { tampered } from "../signed/signed-document.ts";
import { isMissing } from "./files.ts";
import { ask, type BundleFetch, unavailable } from "./place.ts";

export interface DownloadOrder {
  readonly url: string;
  readonly expected: { readonly sha256: string; readonly bytes: number };
  /** Where it is put, and where what is there already is gone on with. */
  readonly file: string;
  readonly fetch: BundleFetch;
  readonly onBytes: (done: number) => void;
}

/** How often a connection that broke is made anew. */
const ATTEMPTS = 4;

/**
 * Brings a file here, and goes on where an earlier attempt was cut. Resolves when its length and its hash are those
 * that were expected; otherwise nothing of it stays. Throws `bundle_unavailable` (what came so far is kept),
 * `bundle_tampered`, what `fetch` refuses, or the signal's reason.
 */
export async function download(order: DownloadOrder, signal: AbortSignal): Promise<void> {
  const { url, expected, file } = order;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  let broke: unknown;
  for (let attempt = 0; attempt < ATTEMPTS && (await sizeOf(file)) < expected.bytes; attempt += 1) {
    throwIfAborted(signal);
    try {
      await goOn(order, signal);
    } catch (error) {
      throwIfAborted(signal);
      // What a connection does by itself; a refusal or a wrong answer would be the same again.
      if (!BREAKS.has(errorCodeOf(error))) throw error;
      broke = error;
    }
  }
  const size = await sizeOf(file);
  if (size < expected.bytes)
    throw unavailable(`${url} broke off: ${size} of ${expected.bytes} bytes are here, and are kept.`, broke);
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk as Uint8Array);
  if (size === expected.bytes && hash.digest("hex") === expected.sha256) return;
  await rm(file, { force: true });
  const how = size === expected.bytes ? "it has another hash" : `it is longer than ${expected.bytes} bytes`;
  throw tampered(url, how);
}

/** A broken connection, of the guarded fetch or of the platform's (which has no code of ours). */
const BREAKS: ReadonlySet<string> = new Set(["http_unreachable", "internal"]);

async function goOn(
  { url, expected, file, fetch, onBytes }: DownloadOrder,
  signal: AbortSignal,
): Promise<void> {
  const here = await sizeOf(file);
  const response = await ask(url, fetch, {
    signal,
    headers: { "accept-encoding": "identity", ...(here > 0 && { range: `bytes=${here}-` }) },
  });
  const continues =
    response.status === 206 && response.headers.get("content-range")?.startsWith(`bytes ${here}-`) === true;
  if (!continues && response.status !== 200) {
    await response.body?.cancel();
    if (here === 0) throw unavailable(`${url} answered ${response.status}.`);
    // What is here fits nothing there: from the start.
    await rm(file, { force: true });
    return;
  }
  let at = continues ? here : 0;
  const out = await open(file, continues ? "a" : "w", 0o600);
  try {
    onBytes(at);
    for await (const chunk of response.body ?? []) {
      await out.writeFile(chunk);
      at += chunk.length;
      onBytes(Math.min(at, expected.bytes));
      // More than was signed: its end is not worth waiting for.
      if (at > expected.bytes) break;
    }
    await out.sync();
  } finally {
    await out.close();
  }
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
}
