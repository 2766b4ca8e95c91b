import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { setupMemoryHome } from "./memory-home.fixture.ts";
import { scanHome } from "./scan-home.fixture.ts";

const live = new AbortController().signal;
const SECRET = "Zq8vKw3";

/** A home with a folder of the user's beside it. */
async function setup(extraPaths: (outside: string) => readonly string[] = () => []) {
  const outside = mkdtempSync(join(tmpdir(), "memory-outside-"));
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  const world = await setupMemoryHome({ extraPaths: extraPaths(outside) });
  const own = join(world.directory, "agents/main");
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  mkdirSync(join(own, "memory"), { recursive: true });
  const engine = await world.open();
  onTestFinished(() => engine[Symbol.asyncDispose]());
  const found = async (query = SECRET): Promise<readonly string[]> => {
    // On a busy machine, the first answers come before everything is indexed, and say so.
    for (;;) {
      const answer = await engine.memory?.search({ query }, live);
      if (answer?.stale === false) return answer.hits.map(({ path }) => path).sort();
    }
  };
  const forget = async (wish: object, how: "preview" | "forget" = "forget") => {
    const report = await engine.memory?.forget({ ...wish, dryRun: how === "preview" }, "owner", live);
    if (report === undefined) throw new Error("Memory is switched on");
    return report;
  };
  return { ...world, engine, outside, own, write, found, forget };
}

const TEXT = `The code is ${SECRET}\nThe boiler is blue\n`;

/** Ways by which a file that forgetting may not change gets into the index. */
const WAYS: Readonly<
  Record<
    string,
    (world: Awaited<ReturnType<typeof setup>>) => { readonly path: string; readonly isIndexed?: false }
  >
> = {
  "a link to a file": ({ outside, own, write }) => {
    write(join(outside, "x.md"), TEXT);
    symlinkSync(join(outside, "x.md"), join(own, "memory/linked.md"));
    return { path: "main/memory/linked.md" };
  },
  "a link to a folder": ({ outside, own, write }) => {
    write(join(outside, "deep/x.md"), TEXT);
    symlinkSync(outside, join(own, "memory/folder"));
    return { path: "main/memory/folder/deep/x.md" };
  },
  "the whole memory as a link": ({ outside, own, write }) => {
    write(join(outside, "x.md"), TEXT);
    rmSync(join(own, "memory"), { recursive: true });
    symlinkSync(outside, join(own, "memory"));
    return { path: "main/memory/x.md" };
  },
  "a link to a hidden folder": ({ own, write }) => {
    write(join(own, ".drafts/x.md"), TEXT);
    symlinkSync("../.drafts", join(own, "memory/drafts"));
    return { path: "main/memory/drafts/x.md" };
  },
  "a note that is too large to be changed": ({ own, write }) => {
    write(join(own, "memory/large.md"), `${TEXT}${"lorem ipsum\n".repeat(100_000)}`);
    return { path: "main/memory/large.md" };
  },
};

test.each(Object.entries(WAYS))(
  "[E694] what stays after forgetting is named, and is not found any more: %s",
  async (_, plant) => {
    const world = await setup();
    const { path } = plant(world);
    const { found, forget, engine, open } = world;
    expect(await found()).toEqual([path]);
    const preview = await forget({ text: SECRET }, "preview");
    expect(preview.kept.map(({ what }) => what)).toContain(path);
    const { kept } = await forget({ text: SECRET });
    const named = kept.find(({ what }) => what === path);
    expect(named?.why).toMatch(/not found any more.*editor/);
    expect(await found()).toEqual([]);
    expect(await found("boiler")).toEqual([path]);
    await engine[Symbol.asyncDispose]();
    await using again = await open();
    expect((await again.memory?.search({ query: SECRET }, live))?.hits).toEqual([]);
  },
);

test("[E694] what is forgotten stays so when the link has another name, or the settings name the file too", async () => {
  const { outside, own, write, found, forget } = await setup((folder) => [join(folder, "later")]);
  write(join(outside, "kept/x.md"), TEXT);
  symlinkSync(join(outside, "kept"), join(own, "memory/a"));
  expect(await found()).toEqual(["main/memory/a/x.md"]);
  await forget({ text: SECRET });
  renameSync(join(own, "memory/a"), join(own, "memory/b"));
  expect([await found(), await found("boiler")]).toEqual([[], ["main/memory/b/x.md"]]);
  symlinkSync("kept", join(outside, "later"));
  rmSync(join(own, "memory/b"));
  expect([await found(), await found("boiler")]).toEqual([[], [join(outside, "later/x.md")]]);
});

test("[E694] a second name of a note in a folder of the user's does not bring it back", async () => {
  const { outside, own, write, found, forget } = await setup((folder) => [folder]);
  write(join(own, "memory/a.md"), TEXT);
  linkSync(join(own, "memory/a.md"), join(outside, "b.md"));
  expect(await found()).toEqual(["main/memory/a.md"]);
  const { removed, kept } = await forget({ text: SECRET });
  expect(removed.lines).toBe(1);
  expect(kept.map(({ what }) => what)).toEqual([join(outside, "b.md")]);
  expect(await found()).toEqual([]);
  expect(readFileSync(join(outside, "b.md"), "utf8")).toBe(TEXT);
});

test("[E694] links to notes are the notes: a line goes where it lies, however deep, and loops are entered once", async () => {
  const { own, write, directory, found, forget } = await setup();
  const deep = `memory/${"d/".repeat(40)}z.md`;
  write(join(own, deep), TEXT);
  symlinkSync(join(own, deep), join(own, "memory/0.md"));
  symlinkSync("..", join(own, "memory/up"));
  expect(await found()).toEqual([`main/${deep}`]);
  const { removed, kept } = await forget({ text: SECRET });
  expect([removed.lines, kept]).toEqual([1, []]);
  expect(await found()).toEqual([]);
  expect(scanHome(directory, SECRET)).toEqual([]);
});

test("[E694] what cannot be looked through is named", async () => {
  const { outside, forget } = await setup((folder) => [folder]);
  symlinkSync("shut", join(outside, "shut"));
  const { kept } = await forget({ text: SECRET });
  expect(kept).toMatchObject([{ what: join(outside, "shut"), why: expect.stringContaining("forget again") }]);
});

test("[E694] a folder that the settings name and that is not there is named in the status, and when forgetting", async () => {
  const { outside, engine, forget } = await setup((folder) => [join(folder, "unplugged")]);
  const path = join(outside, "unplugged");
  const problems = async () => (await engine.memory?.status(live))?.problems;
  await expect.poll(problems).toEqual([{ path, message: "It is not there" }]);
  expect((await forget({ text: SECRET })).kept).toMatchObject([
    { what: path, why: expect.stringContaining("forget again") },
  ]);
});

test("[E695] a note that is called by the text or the person goes as a whole, and its empty folder too", async () => {
  for (const wish of [{ text: "Anna Schmidt" }, { person: "anna schmidt" }, { text: "anna-schmidt" }]) {
    const { own, write, directory, forget, found } = await setup();
    write(join(own, "memory/anna-schmidt.md"), "Likes tea\n");
    write(join(own, "memory/people/Anna Schmidt/2026.md"), "Was here\n");
    write(join(own, "memory/steam-anna.md"), "The boiler is blue\n");
    const preview = await forget(wish, "preview");
    expect(preview.removed).toMatchObject({ files: 2, lines: 2 });
    expect(preview.files).toEqual(["main/memory/anna-schmidt.md", "main/memory/people/Anna Schmidt/2026.md"]);
    expect((await forget(wish)).kept).toEqual([]);
    expect([await found("tea"), await found("boiler")]).toEqual([[], ["main/memory/steam-anna.md"]]);
    expect([existsSync(join(own, "memory/people")), existsSync(join(own, "memory"))]).toEqual([false, true]);
    expect(scanHome(directory, "anna-schmidt")).toEqual([]);
    expect(scanHome(directory, "Anna Schmidt")).toEqual([]);
  }
});

test("[E695] an agent, a day, the folders of the home and the user's own folders are no names", async () => {
  const { outside, own, write, found, forget } = await setup((folder) => [folder]);
  write(join(outside, "x.md"), "The boiler is blue\n");
  write(join(own, "memory/2026-11-17.md"), "A walk\n");
  const names = outside.split(/[/-]/).filter((part) => part !== "");
  for (const text of ["main", "memory", "2026", "md", ...names]) {
    const { removed } = await forget({ text }, "preview");
    expect([text, removed.files]).toEqual([text, 0]);
    expect([text, (await forget({ person: text }, "preview")).kept]).toEqual([text, []]);
  }
  expect(await found("boiler")).toHaveLength(1);
});

test("[E695] a file of the user's that is called so is named to the user, and not in the log", async () => {
  const { outside, directory, write, found, forget } = await setup((folder) => [folder]);
  const path = join(outside, `${SECRET}.md`);
  write(path, "The boiler is blue\n");
  const { kept } = await forget({ text: SECRET });
  expect(kept).toMatchObject([{ what: path }]);
  expect(await found("boiler")).toEqual([]);
  expect(scanHome(directory, SECRET)).toEqual([]);
});

test("[E695] what is only called so is named, with what is no note", async () => {
  const { own, write, forget } = await setup();
  write(join(own, `skills/${SECRET}/run.sh`), "true\n");
  const { kept } = await forget({ text: SECRET });
  expect(kept).toEqual([
    { what: `agents/main/skills/${SECRET}`, why: expect.stringContaining("rename or delete"), count: 1 },
  ]);
});

const SKILL = `---\nname: tea\ndescription: Makes tea as ${SECRET} likes it\n---\nBoil water.\nAsk ${SECRET}.\n`;

test("[E696] a skill whose head has the text stays whole and is named; by its path it goes as a whole", async () => {
  const { own, write, forget } = await setup();
  const file = join(own, "skills/tea/SKILL.md");
  write(file, SKILL);
  for (const how of ["preview", "forget"] as const) {
    const { kept, removed } = await forget({ text: SECRET }, how);
    expect(removed.lines).toBe(0);
    const [named] = kept;
    expect(named).toMatchObject({ what: "main/skills/tea/SKILL.md" });
    expect(named?.why).toContain("--source main/skills/tea/SKILL.md");
  }
  expect(readFileSync(file, "utf8")).toBe(SKILL);
  await forget({ source: "main/skills/tea/SKILL.md" });
  expect(existsSync(file)).toBe(false);
});

test("[E696] from the text of a skill, lines go", async () => {
  const { own, write, forget } = await setup();
  const file = join(own, "skills/tea/SKILL.md");
  write(file, `---\nname: tea\ndescription: Makes tea\n---\nBoil water.\nAsk ${SECRET}.\n`);
  expect((await forget({ text: SECRET })).kept).toEqual([]);
  expect(readFileSync(file, "utf8")).toBe("---\nname: tea\ndescription: Makes tea\n---\nBoil water.\n");
});
