import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSystemClock } from "@deputy/kit";
import { afterEach, expect, test, vi } from "vitest";
import { type DownloadProgress, downloadModel } from "./download-model.ts";

const FILE = randomBytes(300_000);
const SHA256 = createHash("sha256").update(FILE).digest("hex");
const never = new AbortController().signal;
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

/** `stored`: how much the client has kept. */
type Answer = (from: number, outgoing: ServerResponse, stored: () => number) => void;

/** A file server. Each answer serves one request, the last one all that follow. */
async function setup(...answers: readonly [Answer, ...Answer[]]) {
  const asked: (string | undefined)[] = [];
  const folder = mkdtempSync(join(tmpdir(), "deputy-download-"));
  const path = join(folder, "models", "gemma.gguf");
  const stored = (): number => (existsSync(`${path}.part`) ? statSync(`${path}.part`).size : 0);
  const server = createServer((incoming, outgoing) => {
    const { range } = incoming.headers;
    const answer = answers[Math.min(asked.length, answers.length - 1)] ?? answers[0];
    asked.push(range);
    answer(Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0), outgoing, stored);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  opened.push({
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
      rmSync(folder, { recursive: true });
    },
  });
  const progress: DownloadProgress[] = [];
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/gemma.gguf`;
  const get = async (signal = never, sha256 = SHA256) =>
    await downloadModel(
      { clock: createSystemClock(), onProgress: (each) => void progress.push(each) },
      { url, sha256, path },
      signal,
    );
  return { asked, path, part: `${path}.part`, progress, url, get };
}

const whole: Answer = (from, outgoing) => {
  const rest = FILE.subarray(from);
  outgoing.writeHead(from > 0 ? 206 : 200, {
    "content-length": rest.length,
    ...(from > 0 && { "content-range": `bytes ${from}-${FILE.length - 1}/${FILE.length}` }),
  });
  outgoing.end(rest);
};

/** Breaks the connection after so many bytes. */
const cut =
  (bytes: number): Answer =>
  (from, outgoing, stored) => {
    const rest = FILE.subarray(from);
    outgoing.writeHead(from > 0 ? 206 : 200, {
      "content-length": rest.length,
      ...(from > 0 && { "content-range": `bytes ${from}-${FILE.length - 1}/${FILE.length}` }),
    });
    outgoing.write(rest.subarray(0, bytes));
    // What has not been read when a connection breaks may be lost.
    void vi
      .waitFor(() => expect(stored()).toBe(from + bytes), { timeout: 90_000 })
      .then(() => outgoing.destroy());
  };

test("[EM7] fetches a file with progress, and not again if it is there and right", async () => {
  const { get, asked, path, part, progress } = await setup(whole);
  expect(await get()).toBe("downloaded");
  expect(readFileSync(path).equals(FILE)).toBe(true);
  expect(progress.at(-1)).toEqual({ bytes: FILE.length, total: FILE.length });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(existsSync(part)).toBe(false);
  expect(await get()).toBe("there");
  expect(asked).toEqual([undefined]);
});

test("[EM7] goes on where the connection broke", async () => {
  const { get, asked, path } = await setup(cut(100_000), cut(50_000), whole);
  await get();
  expect(readFileSync(path).equals(FILE)).toBe(true);
  expect(asked).toHaveLength(3);
  const starts = asked.slice(1).map((range) => Number(/\d+/.exec(range ?? "")?.[0]));
  expect(starts).toEqual([100_000, 150_000]);
});

test("[EM7] the next call goes on where an abort ended the one before", async () => {
  const stop = new AbortController();
  const { get, asked, part, path } = await setup((_from, outgoing) => {
    outgoing.writeHead(200, { "content-length": FILE.length });
    outgoing.write(FILE.subarray(0, 120_000));
  }, whole);
  const stopped = get(stop.signal);
  await vi.waitFor(() => expect(existsSync(part) && statSync(part).size).toBe(120_000));
  stop.abort(new Error("enough"));
  await expect(stopped).rejects.toThrow("enough");
  await get();
  expect(asked).toEqual([undefined, "bytes=120000-"]);
  expect(readFileSync(path).equals(FILE)).toBe(true);
});

test("[EM7] begins anew if the server ignores where to go on", async () => {
  const { get, path } = await setup(cut(100_000), (_from, outgoing) => {
    outgoing.writeHead(200, { "content-length": FILE.length });
    outgoing.end(FILE);
  });
  await get();
  expect(readFileSync(path).equals(FILE)).toBe(true);
});

test("[EM7] a server that sends another part than the one asked for is not believed", async () => {
  const { get, path } = await setup(
    cut(100_000),
    (_from, outgoing) => {
      outgoing.writeHead(206, { "content-range": `bytes 0-${FILE.length - 1}/${FILE.length}` });
      outgoing.end(FILE);
    },
    whole,
  );
  await get();
  expect(readFileSync(path).equals(FILE)).toBe(true);
});

test("[EM7] without a length, an end that came too early is not taken for the end", async () => {
  const { get, path, progress } = await setup((from, outgoing) => {
    outgoing.writeHead(from > 0 ? 206 : 200, {
      ...(from > 0 && { "content-range": `bytes ${from}-${FILE.length - 1}/*` }),
    });
    outgoing.end(FILE.subarray(from, from === 0 ? 90_000 : undefined));
  });
  await get();
  expect(readFileSync(path).equals(FILE)).toBe(true);
  expect(progress.every(({ total }) => total === undefined)).toBe(true);
});

test("[EM7] follows to where the file is", async () => {
  const { get, path } = await setup(
    (_from, outgoing) => void outgoing.writeHead(302, { location: "/elsewhere" }).end(),
    whole,
  );
  await get();
  expect(readFileSync(path).equals(FILE)).toBe(true);
});

test("[EM7] the end of a connection without a length, as HTTP/1.0 has it, is the end of the file", async () => {
  const { get, path } = await setup((_from, outgoing) => {
    const { socket } = outgoing;
    if (socket === null) return;
    outgoing.detachSocket(socket);
    socket.end(Buffer.concat([Buffer.from("HTTP/1.0 200 OK\r\nConnection: close\r\n\r\n"), FILE]));
  });
  await get();
  expect(readFileSync(path).equals(FILE)).toBe(true);
});

test("[EM8] wrong bytes are refused, and nothing of them stays", async () => {
  const { get, path, part } = await setup((_from, outgoing) => {
    outgoing.writeHead(200, { "content-length": FILE.length });
    outgoing.end(randomBytes(FILE.length));
  });
  await expect(get()).rejects.toMatchObject({ code: "download_corrupt" });
  expect([existsSync(path), existsSync(part)]).toEqual([false, false]);
});

test("[EM8] a part of another file is noticed; the next call begins anew", async () => {
  const { get, path, part } = await setup(cut(1), whole, (from, outgoing) => {
    if (from < FILE.length) return whole(from, outgoing, () => 0);
    outgoing.writeHead(416, { "content-range": `bytes */${FILE.length}` }).end();
  });
  await get();
  rmSync(path);
  writeFileSync(part, randomBytes(FILE.length + 5));
  await expect(get()).rejects.toMatchObject({ code: "download_corrupt" });
  expect(await get()).toBe("downloaded");
});

test("[EM8] what is not there, and a server that always breaks, are download_failed; the part stays", async () => {
  const gone = await setup((_from, outgoing) => outgoing.writeHead(404).end("no"));
  await expect(gone.get()).rejects.toMatchObject({ code: "download_failed" });
  const { url, path, part } = await setup(cut(100_000), (_from, outgoing) => outgoing.destroy());
  const system = createSystemClock();
  const sooner = { ...system, sleep: (ms: number, signal: AbortSignal) => system.sleep(ms / 20, signal) };
  await expect(downloadModel({ clock: sooner }, { url, sha256: SHA256, path }, never)).rejects.toMatchObject({
    code: "download_failed",
  });
  expect(statSync(part).size).toBe(100_000);
});
