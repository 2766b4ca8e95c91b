import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { openFakeLlamaServer } from "@deputy/testing";
import { expect, test } from "vitest";
import { jsonLines, runDeputy, scratchDirectory, startDaemon } from "./run-deputy.ts";

const NOTES = 40;
const QUESTION = "Represents what to brew";

/** As a model of meaning: drinks lie on one axis, all else on the other. */
const meaningOf = (text: string): readonly number[] => (/tea|brew|drink/.test(text) ? [1, 0.1] : [0.1, 1]);

function writeNotes(home: string): void {
  const folder = join(home, "agents/main/memory");
  mkdirSync(folder, { recursive: true });
  for (let at = 0; at < NOTES; at++)
    writeFileSync(
      join(folder, `note-${at}.md`),
      at === 7 ? "Darjeeling tea, second flush\n" : `Shelf ${at}\n`,
    );
}

function configure(home: string, embeddingModel: string, baseUrl: string): void {
  const config = {
    memory: { embeddingModel },
    tools: { search: { embeddingModel: "none" } },
    providers: { local: { baseUrl } },
  };
  writeFileSync(join(home, "config.json"), JSON.stringify(config), { mode: 0o600 });
}

test("[E630] after a change of the model, the index before answers while the new one is made, over a kill too", async () => {
  using home = scratchDirectory();
  await using former = await openFakeLlamaServer({ vectorOf: meaningOf });
  await using llama = await openFakeLlamaServer({ vectorOf: meaningOf });
  // One address for both: the models are told apart by their names.
  writeNotes(home.path);
  configure(home.path, "local/embeddinggemma-300M-Q8_0", former.baseUrl);
  expect((await runDeputy(["memory", "index", "--home", home.path])).code).toBe(0);
  expect(former.asked.flat()).toContainEqual(expect.stringMatching(/^title: none \| text: .*Darjeeling/s));

  configure(home.path, "local/nomic-embed-text", llama.baseUrl);
  const gate = Promise.withResolvers<void>();
  let batches = 0;
  await using proxy = await openSplitter(former.baseUrl, llama.baseUrl, async () => {
    batches++;
    // The first vectors are made; then it takes long.
    if (batches > 1) await gate.promise;
  });
  configure(home.path, "local/nomic-embed-text", proxy.baseUrl);

  const search = async (daemon: { fetch(path: string): Promise<Response> }) => {
    const answer = await daemon.fetch(`/api/memory/search?query=${encodeURIComponent(QUESTION)}`);
    return (await answer.json()) as { by: string; stale: boolean; note?: string; hits: { path: string }[] };
  };
  const status = async (daemon: { fetch(path: string): Promise<Response> }) =>
    (await (await daemon.fetch("/api/memory/status")).json()) as {
      formerModel: string | null;
      stale: boolean;
      embedded: number;
      pieces: number;
    };
  {
    await using daemon = await startDaemon(home.path);
    await search(daemon);
    await expect.poll(async () => (await status(daemon)).embedded).toBeGreaterThan(0);
    const found = await search(daemon);
    expect(found).toMatchObject({ by: "words and meaning", stale: true });
    expect(found.note).toContain("The index is being made again");
    expect(found.hits[0]?.path).toContain("note-7.md");
    expect(await status(daemon)).toMatchObject({
      stale: true,
      formerModel: "local/embeddinggemma-300M-Q8_0+prompts",
    });
    await daemon.end("SIGKILL");
  }
  const before = llama.asked.flat().length;
  gate.resolve();
  await using daemon = await startDaemon(home.path);
  await search(daemon);
  await expect
    .poll(async () => await status(daemon))
    .toMatchObject({
      stale: false,
      formerModel: null,
      embedded: NOTES,
    });
  const found = await search(daemon);
  expect(found).toMatchObject({ by: "words and meaning", stale: false });
  expect(found.note).toBeUndefined();
  expect(found.hits[0]?.path).toContain("note-7.md");
  // What the killed one had kept was not asked for again.
  const texts = llama.asked.flat().filter((text) => text.startsWith("search_document: "));
  expect(before).toBeGreaterThan(0);
  expect(texts.length).toBeLessThanOrEqual(NOTES + 8);
  expect(new Set(texts).size).toBe(NOTES);
});

test("[E697] a search without a daemon keeps what it has read of the meaning; without the model, it searches by words and says so", async () => {
  using home = scratchDirectory();
  writeNotes(home.path);
  await using llama = await openFakeLlamaServer({ vectorOf: meaningOf });
  configure(home.path, "local/nomic-embed-text", llama.baseUrl);
  const search = () => runDeputy(["memory", "search", "--json", QUESTION, "--home", home.path]);
  const texts = () => llama.asked.flat().filter((text) => text.startsWith("search_document: "));
  const first = await search();
  expect(jsonLines(first.stdout)[0]).toMatchObject({ path: expect.stringContaining("note-7.md") });
  expect(first.stderr).toContain("40 new pieces");
  expect(new Set(texts()).size).toBe(NOTES);
  const second = await search();
  expect(second.stdout).toBe(first.stdout);
  expect(second.stderr).not.toContain("pieces");
  expect(texts(), "nothing is read twice").toHaveLength(NOTES);
  configure(home.path, "local/embeddinggemma-300M-Q8_0", "http://127.0.0.1:1");
  const without = await search();
  expect([without.code, without.stderr]).toEqual([0, expect.stringContaining("words alone")]);
});

test("[E631] `memory download` fetches a model over broken connections, verifies it, and says how to use it", async () => {
  using home = scratchDirectory();
  const file = randomBytes(200_000);
  const sha256 = createHash("sha256").update(file).digest("hex");
  const ranges: (string | undefined)[] = [];
  const server = createServer((incoming, outgoing) => {
    const { range } = incoming.headers;
    ranges.push(range);
    const from = Number(/\d+/.exec(range ?? "0")?.[0]);
    const headers = { "content-length": file.length - from };
    const rest = { ...headers, "content-range": `bytes ${from}-${file.length - 1}/${file.length}` };
    outgoing.writeHead(range === undefined ? 200 : 206, range === undefined ? headers : rest);
    if (ranges.length > 2) outgoing.end(file.subarray(from));
    else outgoing.write(file.subarray(from, from + 60_000), () => outgoing.socket?.end());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/embeddinggemma-300M-Q8_0.gguf`;
    const get = (hash: string) =>
      runDeputy(["memory", "download", url, "--sha256", hash, "--home", home.path]);
    const done = await get(sha256);
    expect(done.code).toBe(0);
    expect(done.stdout + done.stderr).toContain("memory.embeddingModel local/embeddinggemma-300M-Q8_0");
    expect(done.stderr).toContain("100 % of 1 MB");
    expect(readFileSync(join(home.path, "models/embeddinggemma-300M-Q8_0.gguf")).equals(file)).toBe(true);
    expect(ranges).toHaveLength(3);
    expect((await get(sha256)).stdout).toContain("It is there already");
    const wrong = await get("0".repeat(64));
    expect(wrong.code).not.toBe(0);
    expect(wrong.stderr).toContain("not the one that was asked for");
    expect((await get("nonsense")).code).toBe(2);
  } finally {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  }
});

test("[E632] a llama-server that loads, or serves no embeddings, leaves the search by words, and it is said why", async () => {
  using home = scratchDirectory();
  await using llama = await openFakeLlamaServer({ vectorOf: meaningOf });
  writeNotes(home.path);
  configure(home.path, "local/embeddinggemma-300M-Q8_0", llama.baseUrl);
  for (const state of ["loading", "no embeddings"] as const) {
    llama.state = state;
    const index = await runDeputy(["memory", "index", "--home", home.path]);
    expect(index.code).not.toBe(0);
    expect(index.stderr).toContain("Meaning is not indexed");
    const found = await runDeputy(["memory", "search", "--json", "Darjeeling", "--home", home.path]);
    expect(jsonLines(found.stdout)[0]).toMatchObject({ path: "main/memory/note-7.md" });
    expect(found.stderr).toContain("Searched by words alone");
  }
  llama.state = "ready";
  expect((await runDeputy(["memory", "index", "--home", home.path])).code).toBe(0);
  const found = await runDeputy(["memory", "search", "--json", QUESTION, "--home", home.path]);
  expect(jsonLines(found.stdout)[0]).toMatchObject({ path: "main/memory/note-7.md" });
  expect(llama.asked.flat()).toContain(`task: search result | query: ${QUESTION}`);
});

/** One address for two servers: requests go by the name of the model. */
async function openSplitter(
  gemma: string,
  other: string,
  beforeTexts: () => Promise<void>,
): Promise<AsyncDisposable & { readonly baseUrl: string }> {
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const parts: Buffer[] = [];
      for await (const part of incoming) parts.push(part as Buffer);
      const body = Buffer.concat(parts).toString();
      const target = body.includes("embeddinggemma") ? gemma : other;
      if (target === other && body.includes("search_document")) await beforeTexts();
      const answer = await fetch(`${target}${incoming.url ?? ""}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
      outgoing.writeHead(answer.status, { "content-type": "application/json" });
      outgoing.end(await answer.text());
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
