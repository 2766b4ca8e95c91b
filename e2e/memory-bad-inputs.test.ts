import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MemoryFound, MemoryReport } from "@deputy/protocol/wire";
import { expect, test } from "vitest";
import { runDeputy, scratchDirectory, startDaemon, TOKEN } from "./run-deputy.ts";

test("[E698] [E801] a daemon with a broken index and bad files among its notes finds the good ones, names the others, and answers commands about the memory", async () => {
  using home = scratchDirectory();
  const folder = join(home.path, "agents/main/memory");
  mkdirSync(join(folder, "trips"), { recursive: true });
  const write = (name: string, text: string | Uint8Array): void => writeFileSync(join(folder, name), text);
  write("boiler.md", "The boiler is blue\n");
  write("日本.md", "東京都の天気は晴れです\n");
  write("hebrew.md", "הדוד כחול\n");
  write("trips/rome.md", "Rome in July\n");
  write(
    "junk.md",
    Uint8Array.from({ length: 5_000 }, (_, at) => (at * 37) % 256),
  );
  write("zeros.md", "text\0text");
  linkSync(join(folder, "boiler.md"), join(folder, "twice.md"));
  symlinkSync("boiler.md", join(folder, "linked.md"));
  symlinkSync("..", join(folder, "trips/loop"));
  symlinkSync("self", join(folder, "self"));
  symlinkSync("gone.md", join(folder, "nowhere.md"));
  execFileSync("mkfifo", [join(folder, "pipe.md")]);
  writeFileSync(join(home.path, "memory.db"), "no database at all ".repeat(1_000), { mode: 0o600 });
  const settings = { memory: { embeddingModel: "none" }, tools: { search: { embeddingModel: "none" } } };
  writeFileSync(join(home.path, "config.json"), JSON.stringify(settings), { mode: 0o600 });
  await using daemon = await startDaemon(home.path);
  const found = async (query: string): Promise<readonly string[]> => {
    const answer = await daemon.fetch(`/api/memory/search?query=${encodeURIComponent(query)}`);
    expect(answer.status).toBe(200);
    return ((await answer.json()) as MemoryFound).hits.map(({ path }) => path);
  };
  await expect.poll(() => found("boiler")).toEqual(["main/memory/boiler.md"]);
  expect(await found("天気")).toEqual(["main/memory/日本.md"]);
  expect(await found("כחול")).toEqual(["main/memory/hebrew.md"]);
  expect(await found("Rome")).toEqual(["main/memory/trips/rome.md"]);
  const { problems, documents } = (await (await daemon.fetch("/api/memory/status")).json()) as MemoryReport;
  expect(documents["notes"]).toBe(4);
  expect(new Map(problems.map(({ path, message }) => [path, message]))).toEqual(
    new Map([
      ["main/memory/junk.md", "It is not text in UTF-8"],
      ["main/memory/nowhere.md", "It is a link that leads nowhere"],
      ["main/memory/pipe.md", "It is neither a file nor a folder"],
      ["main/memory/self", "It is a link that leads to itself"],
      ["main/memory/zeros.md", "It is not text"],
    ]),
  );
  const nothing = await daemon.fetch("/api/memory/search?query=xylophone");
  expect(await nothing.json()).toMatchObject({
    hits: [],
    note: expect.stringContaining("not everything could be read"),
  });

  write("new.md", "The xylophone is in the attic\n");
  expect(await found("xylophone")).toEqual(["main/memory/new.md"]);
  // The daemon has the file open; whoever opened the index beside it would make another.
  const indexFiles = () => readdirSync(home.path).filter((name) => name.startsWith("memory.db"));
  for (const name of indexFiles()) rmSync(join(home.path, name));
  const deputy = (...args: readonly string[]) =>
    runDeputy(["memory", ...args, "--home", home.path], { env: { DEPUTY_TOKEN: TOKEN } });
  const [index, search, show, status] = [
    await deputy("index", "--json"),
    await deputy("search", "--json", "xylophone"),
    await deputy("show", "new.md"),
    await deputy("status"),
  ];
  expect(index).toMatchObject({ code: 0, stderr: expect.stringContaining("junk.md: It is not text") });
  expect(JSON.parse(index.stdout)).toMatchObject({ type: "indexed", documents: 7, indexed: 0 });
  expect(JSON.parse(search.stdout)).toMatchObject({
    path: "main/memory/new.md",
    lines: "1",
    source: "notes",
  });
  expect(show.stdout).toContain("The xylophone is in the attic");
  expect(status.stdout).toContain("5 notes");
  expect(indexFiles()).toEqual([]);
});
