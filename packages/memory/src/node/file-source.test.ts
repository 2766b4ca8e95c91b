import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createSystemClock } from "@deputy/kit";
import { createInMemoryStore, createMemory, DEFAULT_FUSION } from "@deputy/memory";
import { expect, onTestFinished, test } from "vitest";
import { createFileSource } from "./file-source.ts";
import { openIndexFile } from "./open-index-file.ts";
import { watchPaths } from "./watch-paths.ts";

const live = new AbortController().signal;

function setup() {
  const folder = mkdtempSync(join(tmpdir(), "memory-files-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (path: string, text: string | Uint8Array = `text of ${path}`): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  mkdirSync(join(folder, "memory"));
  mkdirSync(join(folder, "extra"));
  const of = (path: string, kind: "memory" | "notes" | "extra") => ({
    location: join(folder, path),
    path: `main/${path}`,
    shownAs: path,
    scope: "main",
    kind,
  });
  const source = createFileSource(() => [
    of("MEMORY.md", "memory"),
    of("memory", "notes"),
    of("extra", "extra"),
  ]);
  const list = async (): Promise<string[]> =>
    (await source.list(live)).documents.map(({ kind, path }) => `${kind} ${path}`);
  const memory = createMemory({
    openStore: async () => createInMemoryStore(),
    sources: [source],
    embedder: undefined,
    hash: (text) => text,
    size: { tokens: 400, overlap: 80 },
    fusion: DEFAULT_FUSION,
    clock: createSystemClock(),
    onBug: (error) => {
      throw error;
    },
  });
  onTestFinished(() => memory[Symbol.asyncDispose]());
  const search = (question: string) => memory.search(question, { scope: "main", limit: 100 }, live);
  return { folder, write, list, source, memory, search, of };
}

test("[M36] lists MEMORY.md, notes and days; not what is hidden or no text", async () => {
  const { write, list, search } = setup();
  for (const path of [
    "MEMORY.md",
    "memory/house.md",
    "memory/2026-01-05.md",
    "memory/trips/2025-07-01 Rome.md",
  ])
    write(path);
  for (const path of ["memory/.hidden.md", "memory/.git/x.md", "memory/photo.jpg", "other.md"]) write(path);
  write("extra/deep/er/notes.txt");
  expect(await list()).toEqual([
    "memory main/MEMORY.md",
    "daily main/memory/2026-01-05.md",
    "notes main/memory/house.md",
    "notes main/memory/trips/2025-07-01 Rome.md",
    "extra main/extra/deep/er/notes.txt",
  ]);
  const { hits } = await search("Monday, 5 January 2026");
  expect(hits[0]?.chunk.header).toBe("[memory/2026-01-05.md | Monday, 5 January 2026]");
});

test("[M36] two paths to one file are one document, and a folder that contains itself is entered once", async () => {
  const { folder, write, list } = setup();
  write("memory/a.md");
  linkSync(join(folder, "memory/a.md"), join(folder, "memory/b.md"));
  symlinkSync("a.md", join(folder, "memory/c.md"));
  symlinkSync("..", join(folder, "memory/loop"));
  symlinkSync("self", join(folder, "memory/self"));
  symlinkSync("../memory", join(folder, "extra/again"));
  expect(await list()).toEqual(["notes main/memory/a.md"]);
});

test("[M93] a file that a link leads to is the user's, wherever it is listed; one that has a path of its own is listed by it", async () => {
  const { folder, write, source } = setup();
  write("memory/z.md");
  write("outside/x.md");
  symlinkSync("z.md", join(folder, "memory/0.md"));
  symlinkSync("../outside", join(folder, "memory/there"));
  write("extra/y.md");
  const listed = (await source.list(live)).documents.map(({ path, outside }) => [path, outside]);
  expect(listed).toEqual([
    ["main/memory/z.md", undefined],
    ["main/extra/y.md", join(folder, "extra/y.md")],
    ["main/memory/there/x.md", join(folder, "outside/x.md")],
  ]);
});

test("[M94] nothing is left out in silence: links to nowhere, what is no file, what is not there, what is too much", async () => {
  const { folder, write, memory, of } = setup();
  const deep = `memory/${"d/".repeat(60)}x.md`;
  write(deep);
  symlinkSync("gone", join(folder, "memory/nowhere.md"));
  execFileSync("mkfifo", [join(folder, "memory/pipe.md")]);
  rmSync(join(folder, "extra"), { recursive: true });
  const { documents, problems } = await memory.status(live);
  expect(documents.notes, "however deep").toBe(1);
  expect(problems.map(({ path, message }) => [path, message])).toEqual([
    ["main/memory/pipe.md", "It is neither a file nor a folder"],
    ["main/extra", "It is not there"],
    ["main/memory/nowhere.md", "It is a link that leads nowhere"],
  ]);
  for (const name of ["a", "b", "c", "d"]) write(`many/${name}.md`);
  const limited = (limits: object) =>
    createFileSource(() => [of("many", "notes")], { files: 100, entries: 100, ...limits }).list(live);
  for (const [limits, count, at] of [
    [{ files: 2 }, 2, "c"],
    [{ entries: 2 }, 1, "b"],
  ] as const) {
    const listing = await limited(limits);
    expect(listing.documents).toHaveLength(count);
    expect(listing.problems).toMatchObject([
      { path: `main/many/${at}.md`, message: expect.stringContaining("left out") },
    ]);
  }
  expect((await limited({})).problems).toEqual([]);
});

test("[M37] what is no text or too large is a problem of its own, and the rest is found", async () => {
  const { write, search, memory } = setup();
  write("memory/good.md", "The boiler is blue");
  write(
    "memory/junk.md",
    Uint8Array.from({ length: 5_000 }, (_, at) => (at * 37) % 256),
  );
  write("memory/zeros.md", "text\0text");
  write("memory/large.md", `first words\n${"lorem ipsum dolor sit amet\n".repeat(170_000)}last words`);
  expect((await search("boiler")).hits).toHaveLength(1);
  expect((await search("first")).hits).toHaveLength(1);
  expect((await search("last")).hits).toEqual([]);
  const { problems } = await memory.status(live);
  expect(problems.map(({ path, message }) => [path, message])).toEqual([
    ["main/memory/large.md", "Only its beginning is remembered: it is larger than 4 MB"],
    ["main/memory/junk.md", "It is not text in UTF-8"],
    ["main/memory/zeros.md", "It is not text"],
  ]);
});

test("[M31] [M37] a folder that cannot be looked at keeps what was known of it", async () => {
  const { folder, write, search, memory } = setup();
  write("memory/private/a.md", "The boiler is blue");
  await search("boiler");
  rmSync(join(folder, "memory/private"), { recursive: true });
  symlinkSync("private", join(folder, "memory/private"));
  expect(await search("boiler")).toMatchObject({ hits: [{}], isStale: true });
  const problem = { path: "main/memory/private", message: "It is a link that leads to itself" };
  expect((await memory.status(live)).problems).toMatchObject([problem]);
  rmSync(join(folder, "memory/private"));
  expect(await search("boiler")).toMatchObject({ hits: [], isStale: false });
});

test("[M36] comments are for the person who edits a file: nobody finds them, and lines stay right", async () => {
  const { write, search } = setup();
  write("MEMORY.md", "<!-- For example:\n- tea -->\nThe boiler is blue\n");
  expect((await search("tea")).hits).toEqual([]);
  expect((await search("boiler")).hits).toMatchObject([{ chunk: { firstLine: 3, lastLine: 3 } }]);
});

test("[M40] a marked line of a note is somebody else's", async () => {
  const { write, search } = setup();
  write("memory/2026-01-05.md", "- 10:00 Mine <!-- told by: mail from Eve -->\n");
  write("memory/2026-01-06.md", "- 10:00 Mine\n");
  const found = new Map((await search("mine")).hits.map(({ chunk }) => [chunk.document.date, chunk.foreign]));
  expect(found).toEqual(
    new Map([
      ["2026-01-05", ["mail from Eve"]],
      ["2026-01-06", []],
    ]),
  );
});

test("[M35] a change is noticed, once it has been quiet", async () => {
  const { folder, write } = setup();
  write("memory/a.md");
  const changed = Promise.withResolvers<void>();
  const sleeps: number[] = [];
  const clock = {
    ...createSystemClock(),
    async sleep(ms: number): Promise<void> {
      sleeps.push(ms);
    },
  };
  using watching = watchPaths([join(folder, "memory"), join(folder, "none")], {
    clock,
    onChange: changed.resolve,
  });
  appendFileSync(join(folder, "memory/a.md"), "more");
  await changed.promise;
  expect(sleeps).toContain(1_500);
  expect(watching).toBeDefined();
});

test("[M34] a damaged index is begun anew, and the user is told", async () => {
  const { folder, write } = setup();
  write("memory/a.md");
  const path = join(folder, "memory.db");
  writeFileSync(path, "no database at all ".repeat(1_000));
  let told = 0;
  await using store = await openIndexFile(path, () => told++);
  expect(told).toBe(1);
  expect((await store.documents()).size).toBe(0);
  expect(statSync(path).mode & 0o077).toBe(0);
  await expect(openIndexFile(join(folder, "none/memory.db"), () => told++)).rejects.toMatchObject({
    code: "memory_unavailable",
  });
  expect(told).toBe(1);
});
