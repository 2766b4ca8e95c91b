import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import { get as getHttp, type IncomingMessage } from "node:http";
import { get as getHttps } from "node:https";
import { dirname } from "node:path";
import { type Clock, systemCodeOf, throwIfAborted } from "@deputy/kit";
import { EmbedderError } from "../embedder-error.ts";

export interface DownloadProgress {
  readonly bytes: number;
  /** Undefined: the server does not say. */
  readonly total: number | undefined;
}

/** How often it is tried again without a byte more. */
const FRUITLESS = 4;
const WAIT_MS = 1_000;
/** A server that sends nothing for so long is given up. */
const SILENCE_MS = 30_000;
const MOST_REDIRECTS = 5;
/** More than any file that this is for. */
const MOST_BYTES = 16 * 1024 ** 3;

/**
 * Fetches a file and puts it at `path` once its SHA-256 is right; until then it is beside it, as `.part`, and the next
 * call goes on there. Connections that break are taken up again. A file that is there already and right is not fetched.
 * Rejects with `download_failed` (the part stays), `download_corrupt` (nothing stays), and with the signal's reason.
 */
export async function downloadModel(
  deps: {
    readonly clock: Clock;
    readonly onProgress?: (progress: DownloadProgress) => void;
  },
  file: { readonly url: string; readonly sha256: string; readonly path: string },
  signal: AbortSignal,
): Promise<"downloaded" | "there"> {
  const { clock } = deps;
  const { path } = file;
  const sha256 = file.sha256.toLowerCase();
  if (existsSync(path) && (await hashOf(path)) === sha256) return "there";
  const part = `${path}.part`;
  await mkdir(dirname(path), { recursive: true });
  for (let fruitless = 0; ;) {
    throwIfAborted(signal);
    const before = await sizeOf(part);
    const outcome = await fetchRest(deps, file.url, part, signal);
    const after = await sizeOf(part);
    if (outcome.kind === "refused") throw failed(`The server answered ${outcome.status}`);
    if (outcome.kind === "ended" && after > 0) {
      if ((await hashOf(part)) === sha256) break;
      // Without a length, a connection that broke looks like the end: there may be more.
      if (outcome.isWhole || after === before) {
        await rm(part, { force: true });
        throw new EmbedderError("download_corrupt", "The file is not the one that was asked for", {
          hint: "Check the address and the SHA-256. Nothing of it was kept.",
        });
      }
    }
    fruitless = after > before ? 0 : fruitless + 1;
    if (fruitless > FRUITLESS)
      throw failed(outcome.kind === "broken" ? outcome.why : "The server sends nothing");
    if (fruitless > 0) await clock.sleep(WAIT_MS * fruitless, signal);
  }
  await rename(part, path);
  return "downloaded";
}

type Outcome =
  /** `isWhole`: the server said how long the file is, and so long it is. */
  | { readonly kind: "ended"; readonly isWhole: boolean }
  | { readonly kind: "broken"; readonly why: string }
  | { readonly kind: "refused"; readonly status: number };

/** Appends what is missing. Rejects only with the signal's reason, or if the disk refuses. */
async function fetchRest(
  deps: Parameters<typeof downloadModel>[0],
  url: string,
  part: string,
  signal: AbortSignal,
): Promise<Outcome> {
  const from = await sizeOf(part);
  const silence = new AbortController();
  const both = AbortSignal.any([signal, silence.signal]);
  let waiting = new AbortController();
  const listen = (): void => {
    waiting.abort();
    waiting = new AbortController();
    deps.clock.sleep(SILENCE_MS, waiting.signal).then(
      () => silence.abort(new Error("The server sends nothing")),
      () => undefined,
    );
  };
  try {
    listen();
    // Compressed, a part of the file would begin elsewhere.
    const headers = { "accept-encoding": "identity", ...(from > 0 && { range: `bytes=${from}-` }) };
    const response = await ask(url, headers, both);
    const { statusCode: status = 0 } = response;
    // What is there is all there is, or too much.
    if (status === 416) return { kind: "ended", isWhole: true };
    if (status >= 500) return { kind: "broken", why: `The server answered ${status}` };
    if (status !== 200 && status !== 206) return { kind: "refused", status };
    const range = /^bytes (\d+)-\d*\/(\d+|\*)$/.exec(response.headers["content-range"] ?? "");
    const isRest = status === 206 && Number(range?.[1]) === from;
    if (status === 206 && !isRest) return { kind: "broken", why: "The server sends another part" };
    const start = isRest ? from : 0;
    const length = response.headers["content-length"];
    const ofRange = isRest && range?.[2] !== "*" ? Number(range?.[2]) : undefined;
    const total = ofRange ?? (length === undefined ? undefined : start + Number(length));
    const handle = await open(part, isRest ? "a" : "w", 0o600);
    let bytes = start;
    try {
      for await (const each of response) {
        listen();
        const chunk = each as Buffer;
        await handle.appendFile(chunk);
        bytes += chunk.byteLength;
        if (bytes > MOST_BYTES) return { kind: "broken", why: "The file does not end" };
        deps.onProgress?.({ bytes, total });
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (total !== undefined && bytes < total) return { kind: "broken", why: "The connection broke" };
    return { kind: "ended", isWhole: total !== undefined };
  } catch (error) {
    throwIfAborted(signal);
    if (isOfDisk(error)) throw failed("The disk refuses", error);
    const why = silence.signal.aborted ? "The server sends nothing" : "The connection broke";
    return { kind: "broken", why };
  } finally {
    waiting.abort();
    // Ends a request whose answer is of no use.
    silence.abort();
  }
}

/** `fetch` of Node fails as a whole if a connection without a length ends while it is not read. */
async function ask(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  for (let at = 0, address = new URL(url); ; at++) {
    const answered = Promise.withResolvers<IncomingMessage>();
    const get = address.protocol === "https:" ? getHttps : getHttp;
    const request = get(address, { headers, signal, agent: false }, answered.resolve);
    request.on("error", answered.reject);
    const response = await answered.promise;
    const { location } = response.headers;
    const isElsewhere = [301, 302, 303, 307, 308].includes(response.statusCode ?? 0);
    if (!isElsewhere || location === undefined || at >= MOST_REDIRECTS) return response;
    response.destroy();
    address = new URL(location, address);
    if (!/^https?:$/.test(address.protocol)) throw new Error("It leads to something else");
  }
}

function isOfDisk(error: unknown): boolean {
  const code = systemCodeOf(error) ?? "";
  return ["ENOSPC", "EACCES", "EROFS", "EDQUOT", "EIO", "EPERM"].includes(code);
}

function failed(why: string, cause?: unknown): EmbedderError {
  return new EmbedderError("download_failed", `The file could not be fetched: ${why}`, {
    cause,
    hint: "Try again: what is there already is not fetched again.",
  });
}

async function sizeOf(path: string): Promise<number> {
  return await stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}
