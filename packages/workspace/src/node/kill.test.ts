import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openScratchWorkspace } from "./local-workspace.fixture.ts";
import { createPartialNotes } from "./partial-notes.ts";

const live = new AbortController().signal;
const child = fileURLToPath(new URL("./kill-child.ts", import.meta.url));
const FILES = 10;
const whole = (word: string): RegExp => new RegExp(`^(?:(${word}[^\\n]*)\\n(?:\\1\\n){1999})$`);

function fill(root: string, word: string): void {
  for (let n = 0; n < FILES; n++) writeFileSync(join(root, `file-${n}.txt`), `${word} ${n}\n`.repeat(2_000));
}

/** Starts the work and kills it after this time; true if it had finished. */
async function killAfter(delayMs: number, args: readonly string[]): Promise<boolean> {
  const worker = spawn(process.execPath, [child, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  let said = "";
  worker.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  await once(worker.stdout, "data");
  worker.stdin.end();
  const exited = once(worker, "exit");
  await Promise.race([sleep(delayMs), exited]);
  worker.kill("SIGKILL");
  await exited;
  return said.includes("done");
}

const DELAYS_MS = [2, 15, 40, 80, 150];

test("[WS13] [WS17] killed during a commit, every real file is old or new, and a repeated commit completes it", async () => {
  let killed = 0;
  for (const delayMs of DELAYS_MS) {
    await using world = openScratchWorkspace();
    fill(world.root, "old");
    await world.workspace.import({ root: world.root, uncommitted: "keep" }, live);
    for (let n = 0; n < FILES; n++)
      await world.workspace.write(`file-${n}.txt`, `new ${n}\n`.repeat(2_000), live);
    const args = [join(world.home, "workspace"), world.home, world.root, "commit"];
    if (!(await killAfter(delayMs, args))) killed++;
    for (const name of readdirSync(world.root).filter((file) => file.startsWith("file-")))
      expect(readFileSync(join(world.root, name), "utf8")).toMatch(/^(?:old|new) /);
    const texts = readdirSync(world.root)
      .filter((file) => file.startsWith("file-"))
      .map((name) => readFileSync(join(world.root, name), "utf8"));
    expect(texts).toHaveLength(FILES);
    for (const text of texts) expect(whole("old").test(text) || whole("new").test(text)).toBe(true);
    const own = join(world.root, ".deputy-0123456789abcdef.partial");
    writeFileSync(own, "the user's own");
    const again = world.reopen();
    const { id } = await again.status(live);
    expect(readdirSync(world.root).filter((name) => name.endsWith(".partial"))).toEqual([basename(own)]);
    expect(await again.commit({ changeSet: id, paths: "all" }, live)).toMatchObject({ kind: "committed" });
    for (let n = 0; n < FILES; n++)
      expect(readFileSync(join(world.root, `file-${n}.txt`), "utf8")).toBe(`new ${n}\n`.repeat(2_000));
    expect((await again.status(live)).changes).toEqual([]);
    expect(readdirSync(join(world.home, "workspace", "partials"))).toEqual([]);
    expect(readFileSync(own, "utf8")).toBe("the user's own");
  }
  expect(killed).toBeGreaterThan(0);
});

test("[WS13] [WS15] killed during a write or import, the workspace is intact and its lock is free", async () => {
  for (const what of ["write", "import"]) {
    for (const delayMs of [10, 60]) {
      await using world = openScratchWorkspace();
      fill(world.root, "old");
      await world.workspace.import({ root: world.root, uncommitted: "keep" }, live);
      await killAfter(delayMs, [join(world.home, "workspace"), world.home, world.root, what]);
      const again = world.reopen();
      expect(await again.walk("", live)).toHaveLength(FILES);
      for (const path of await again.walk("", live)) {
        const text = await again.readText(path, live);
        expect(whole("old").test(text) || whole("new").test(text), path).toBe(true);
      }
      await again.import({ uncommitted: "discard" }, live);
      expect((await again.status(live)).changes).toEqual([]);
    }
  }
});

test("[WS15] two simultaneous commits run one after the other", async () => {
  await using world = openScratchWorkspace();
  fill(world.root, "old");
  await world.workspace.import({ root: world.root, uncommitted: "keep" }, live);
  await world.workspace.write("file-1.txt", "mine\n", live);
  const { id } = await world.workspace.status(live);
  const other = world.reopen();
  const ends = await Promise.allSettled([
    world.workspace.commit({ changeSet: id, paths: "all" }, live),
    other.commit({ changeSet: id, paths: "all" }, live),
  ]);
  const [done, late] = ends.toSorted((a, b) => (a.status < b.status ? -1 : 1));
  expect(done).toMatchObject({ status: "fulfilled", value: { kind: "committed" } });
  expect(late).toMatchObject({ status: "rejected", reason: { code: "stale_change_set" } });
  expect(readFileSync(join(world.root, "file-1.txt"), "utf8")).toBe("mine\n");
});

test("[WS17] removes a partial file by its note, even in a subfolder, and does not follow a link in its place", async () => {
  await using world = openScratchWorkspace();
  fill(world.root, "old");
  await world.workspace.import({ root: world.root, uncommitted: "keep" }, live);
  mkdirSync(join(world.root, "sub"));
  const [left, link] = [".deputy-00000000000000aa.partial", ".deputy-00000000000000bb.partial"];
  const notes = createPartialNotes(join(world.home, "workspace"));
  writeFileSync(join(world.root, "sub", left), "half");
  symlinkSync(join(world.root, "file-1.txt"), join(world.root, link));
  notes.add(world.root, "sub/new.txt", left);
  notes.add(world.root, "new.txt", link);
  notes.add(join(world.scratch, "gone"), "new.txt", ".deputy-00000000000000cc.partial");
  await world.workspace.status(live);
  expect(readdirSync(join(world.root, "sub"))).toEqual([]);
  expect(readdirSync(world.root)).toContain(link);
  expect(readFileSync(join(world.root, "file-1.txt"), "utf8")).toContain("old 1");
  expect(readdirSync(join(world.home, "workspace", "partials"))).toEqual([]);
});
