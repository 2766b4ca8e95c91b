import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Embedder } from "@deputy/embedder";
import { MODEL_FILES, openMiniLm } from "@deputy/embedder/node";
import { createMemory, DEFAULT_FUSION, type ListedDocument } from "@deputy/memory";
import { openDatabase } from "@deputy/sqlite";
import { createFakeClock } from "@deputy/testing";
import { expect, onTestFinished, test } from "vitest";
import { createFileSource } from "./file-source.ts";
import { openIndexThread } from "./open-index-thread.ts";

const live = new AbortController().signal;
/** Its sleeps do not end: a search waits for the sync, however busy the machine is. */
const clock = createFakeClock();

/** Notes in a folder, indexed as a daemon does it. */
function setup(embedder?: Embedder) {
  const folder = mkdtempSync(join(tmpdir(), "memory-bad-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (path: string, text: string | Uint8Array): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  mkdirSync(join(folder, "memory"));
  const notes = { path: "main/memory", shownAs: "memory", scope: "main", kind: "notes" } as const;
  const source = createFileSource(() => [{ ...notes, location: join(folder, "memory") }]);
  let told = 0;
  let onListed: ((documents: readonly ListedDocument[]) => void) | undefined;
  const open = () => {
    const memory = createMemory({
      openStore: async () =>
        openIndexThread(join(folder, "memory.db"), { clock, onDamaged: () => void told++ }),
      sources: [
        {
          async list(signal) {
            const listing = await source.list(signal);
            onListed?.(listing.documents);
            return listing;
          },
        },
      ],
      embedder,
      hash: (text) => text,
      size: { tokens: 400, overlap: 80 },
      fusion: DEFAULT_FUSION,
      clock,
      onBug: (error) => {
        throw error;
      },
    });
    onTestFinished(() => memory[Symbol.asyncDispose]());
    const search = (question: string) => memory.search(question, { scope: "main", limit: 20 }, live);
    const found = async (question: string) =>
      (await search(question)).hits.map(({ chunk }) => chunk.document.path).sort();
    return { memory, search, found };
  };
  return {
    folder,
    write,
    open,
    told: () => told,
    onceListed(work: () => void) {
      onListed = () => {
        onListed = undefined;
        work();
      };
    },
  };
}

test.each([
  ["missing", undefined, "cannot be read"],
  ["corrupt", "not these weights", "is not the one that belongs here"],
])("[M22] weights that are %s: words find, and the answer and the status say why", async (_, bytes, why) => {
  const model = mkdtempSync(join(tmpdir(), "memory-model-"));
  onTestFinished(() => rmSync(model, { recursive: true, force: true }));
  for (const { path } of Object.values(MODEL_FILES)) {
    mkdirSync(dirname(join(model, path)), { recursive: true });
    if (bytes !== undefined) writeFileSync(join(model, path), bytes);
  }
  await using embedder = openMiniLm({ clock, folder: model });
  const { write, open } = setup(embedder);
  write("memory/house.md", "The boiler is blue");
  const { search, memory } = open();
  expect(await search("boiler")).toMatchObject({ hits: [{}], by: "words" });
  const reason: unknown = expect.stringContaining(why);
  expect(await memory.index({}, live)).toMatchObject({ indexed: 0, embedded: 0, embedderProblem: reason });
  expect(await search("boiler")).toMatchObject({ hits: [{}], by: "words", reason });
  expect((await memory.status(live)).embedderProblem).toContain(why);
});

test.each<[string, (path: string) => void]>([
  ["garbage", (path) => writeFileSync(path, "no database at all ".repeat(1_000))],
  ["cut short", (path) => truncateSync(path, 5_000)],
  [
    "damaged where only a search reads",
    (path) => {
      const bytes = readFileSync(path);
      // All but the first pages, which say what there is.
      bytes.fill(0xa5, 4_096 * 20);
      writeFileSync(path, bytes);
    },
  ],
  [
    "of another program",
    (path) => {
      rmSync(path);
      using db = openDatabase(path);
      db.exec("CREATE TABLE documents (id INTEGER PRIMARY KEY, title TEXT); PRAGMA user_version = 1");
    },
  ],
  [
    "without one of its tables",
    (path) => {
      using db = openDatabase(path);
      db.exec("DROP TABLE children");
    },
  ],
])(
  "[M34] an index that is %s is made again: everything is found, and the user is told",
  async (_, damage) => {
    const { folder, write, open, told } = setup();
    for (let n = 0; n < 60; n++)
      write(`memory/${n}.md`, `Note ${n} about boiler${n}\n${"filling words ".repeat(150)}`);
    {
      const { memory, found } = open();
      expect(await found("boiler7")).toEqual(["main/memory/7.md"]);
      await memory[Symbol.asyncDispose]();
    }
    damage(join(folder, "memory.db"));
    const { memory, found } = open();
    expect(await found("boiler7")).toEqual(["main/memory/7.md"]);
    expect(await found("boiler59")).toEqual(["main/memory/59.md"]);
    expect(await memory.status(live)).toMatchObject({ documents: { notes: 60 }, problems: [] });
    expect(told()).toBe(1);
  },
);

test("[M34] an index of a newer version is left alone, and the answer says so", async () => {
  const { folder, write, open, told } = setup();
  write("memory/house.md", "The boiler is blue");
  {
    using db = openDatabase(join(folder, "memory.db"));
    db.exec("PRAGMA user_version = 99");
  }
  const { size } = statSync(join(folder, "memory.db"));
  await expect(open().search("boiler")).rejects.toMatchObject({ code: "memory_unavailable" });
  expect(statSync(join(folder, "memory.db")).size).toBe(size);
  expect(told()).toBe(0);
});

test("[M65] a file that vanishes while it is read is not found; one that is rewritten is found as it is then", async () => {
  const { folder, write, open, onceListed } = setup();
  write("memory/gone.md", "The boiler is blue");
  write("memory/other.md", "The boiler is green");
  onceListed(() => {
    rmSync(join(folder, "memory/gone.md"));
    write("memory/other.md", "The kettle is red");
  });
  const { found, memory } = open();
  expect(await found("boiler")).toEqual([]);
  expect(await found("kettle")).toEqual(["main/memory/other.md"]);
  expect(await memory.status(live)).toMatchObject({ documents: { notes: 1 }, problems: [] });
});

/** Runs as somebody who may not read everything: root may. */
async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

test("[M37] [M66] what may not be read is named; the rest is found, and it is found once it may be read", async () => {
  const { folder, write, open } = setup();
  write("memory/private/a.md", "The boiler is blue");
  write("memory/secret.md", "The kettle is red");
  write("memory/house.md", "The stove is white");
  chmodSync(folder, 0o777);
  chmodSync(join(folder, "memory/private"), 0o000);
  chmodSync(join(folder, "memory/secret.md"), 0o000);
  const { search, found, memory } = open();
  await asNobody(async () => {
    expect(await found("stove")).toEqual(["main/memory/house.md"]);
    const problems = [
      { path: "main/memory/private", message: "It may not be read" },
      { path: "main/memory/secret.md", message: "It may not be read" },
    ];
    expect(await search("boiler")).toMatchObject({ hits: [], problems });
    expect((await memory.status(live)).problems).toMatchObject(problems);
  });
  chmodSync(join(folder, "memory/private"), 0o755);
  chmodSync(join(folder, "memory/secret.md"), 0o644);
  expect(await found("boiler kettle stove")).toHaveLength(3);
  expect((await memory.status(live)).problems).toEqual([]);
});

test("[M37] [M65] of 50 MB the beginning is found; junk is named, and read once", async () => {
  const { write, open } = setup();
  write("memory/huge.md", `The zeppelin lands first\n${"lorem ipsum dolor sit amet\n".repeat(1_950_000)}`);
  write(
    "memory/junk.md",
    Uint8Array.from({ length: 50_000 }, (_, at) => (at * 7_919) % 256),
  );
  write("memory/house.md", "The boiler is blue");
  const { memory, found } = open();
  await memory.index({}, live);
  expect(await found("zeppelin")).toEqual(["main/memory/huge.md"]);
  expect(await found("boiler")).toEqual(["main/memory/house.md"]);
  const expected = [
    { path: "main/memory/huge.md", message: "Only its beginning is remembered: it is larger than 4 MB" },
    { path: "main/memory/junk.md", message: "It is not text in UTF-8" },
  ];
  expect((await memory.status(live)).problems).toMatchObject(expected);
  // Also after a restart, although nothing has changed.
  await memory[Symbol.asyncDispose]();
  const again = open();
  expect(await again.memory.index({}, live)).toMatchObject({ indexed: 0, problems: expected });
});

test("[M3] writing without spaces and from right to left is found in files", async () => {
  const { write, open } = setup();
  write("memory/cjk.md", "# 会议\n明天下午三点在东京有会议室预订\n");
  write("memory/hebrew.md", "הפגישה עם דָּוִד ביום שלישי\n");
  write("memory/arabic.md", "الاجتماع مع أحمد يوم الثلاثاء\n");
  write("memory/mixed.md", "\u202eevil\u202c The \u200fboiler\u200e is blue\n");
  const { found } = open();
  expect(await found("东京")).toEqual(["main/memory/cjk.md"]);
  expect(await found("דוד")).toEqual(["main/memory/hebrew.md"]);
  expect(await found("الثُّلاثاء")).toEqual(["main/memory/arabic.md"]);
  expect(await found("boiler")).toEqual(["main/memory/mixed.md"]);
});

test("[M67] 10,000 files at once are there once each, and it says how far it is", async () => {
  const { folder, write, open } = setup();
  for (let n = 0; n < 100; n++) write(`memory/0/${n}.md`, `Note ${n} about boiler${n}\n`);
  for (let copy = 1; copy < 100; copy++)
    cpSync(join(folder, "memory/0"), join(folder, `memory/${copy}`), { recursive: true });
  const { memory, found } = open();
  const progress: number[] = [];
  const onProgress = ({ done }: { readonly done: number }): void => void progress.push(done);
  await memory.index({ onProgress }, live);
  expect(await memory.status(live)).toMatchObject({
    documents: { notes: 10_000 },
    chunks: 10_000,
    problems: [],
  });
  expect(progress.at(-1)).toBe(10_000);
  expect(await found("boiler7")).toHaveLength(20);
});
