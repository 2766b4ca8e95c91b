import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCatalogue } from "@deputy/tools";
import { expect, onTestFinished, test } from "vitest";
import { configSchema } from "../config.ts";
import { openBuiltins } from "./open-builtins.ts";

const live = new AbortController().signal;

/** A person's folder: Deputy's home is in it, `notes` may be written, `books` read, and `private` is nobody's. */
async function setup(write: (folder: string) => readonly string[] = (folder) => [join(folder, "notes")]) {
  const folder = mkdtempSync(join(tmpdir(), "deputy-further-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ["home", "notes", "books", "private"]) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "a.md"), `This is ${name}.`);
  }
  symlinkSync(join(folder, "private"), join(folder, "notes", "link"));
  symlinkSync(join(folder, "private", "a.md"), join(folder, "notes", "b.md"));
  const directory = join(folder, "home");
  const security = { additionalReadDirs: [join(folder, "books")], additionalWriteDirs: write(folder) };
  const catalogue = createCatalogue([
    await openBuiltins({ directory, config: configSchema.parse({ security }) }, {}),
  ]);
  const call = async (path: string, raw: object): Promise<unknown> => {
    const tool = catalogue.get(path);
    const parsed = await tool?.parseInput(raw);
    if (tool === undefined || parsed?.kind !== "ok") throw new Error(`${path} cannot be called so`);
    const context = { signal: live, idempotencyKey: "k", sessionKey: "s", approvedBy: "user" } as const;
    return await tool.run(parsed.input, { ...context, progress: () => {}, log: () => {} });
  };
  return { folder, call, catalogue, at: (...names: string[]) => join(folder, ...names) };
}

test("[E844] files of the folders in the settings are read and written where they are", async () => {
  const { call, at } = await setup();
  expect(await call("files.read", { path: at("books", "a.md") })).toMatchObject({
    content: "This is books.",
  });
  await call("files.write", { path: at("notes", "new", "c.md"), content: "New." });
  expect(readFileSync(at("notes", "new", "c.md"), "utf8")).toBe("New.");
});

test("[E844] they are searched by name and by what is in them, the home and links aside", async () => {
  const { call, at, folder } = await setup((own) => [own]);
  expect(await call("files.glob", { pattern: "*.md", path: at("books") })).toMatchObject({
    paths: [at("books", "a.md")],
  });
  expect(await call("files.glob", { pattern: "**/*.md", path: folder })).toMatchObject({
    paths: [at("books", "a.md"), at("notes", "a.md"), at("private", "a.md")],
  });
  // The whole path may be in the pattern.
  for (const pattern of [at("books", "*.md"), at("b*", "a.md"), at("books", "a.md")])
    expect(await call("files.glob", { pattern })).toMatchObject({ paths: [at("books", "a.md")] });
  await expect(call("files.glob", { pattern: "/etc/*" })).rejects.toMatchObject({ code: "path_refused" });
  const found = { path: at("notes", "a.md"), line: 1, text: "This is notes." };
  expect(await call("files.grep", { pattern: "is not", path: folder })).toMatchObject({ matches: [found] });
  expect(await call("files.grep", { pattern: "notes", path: at("notes", "a.md") })).toMatchObject({
    matches: [found],
  });
  expect(await call("files.grep", { pattern: "This", path: folder })).toMatchObject({ filesSearched: 3 });
  for (const path of [at("home"), at("notes", "link")])
    await expect(call("files.grep", { pattern: "a", path }), path).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:path_refused|link_refused)$/),
    });
});

const BEGIN = (body: string): string => `*** Begin Patch\n${body}\n*** End Patch`;

test("[E844] a file is removed and patched there, and each asks as for one of the user's own", async () => {
  const { call, catalogue, at } = await setup();
  const note = at("notes", "a.md");
  const patch = BEGIN(
    `*** Update File: ${note}\n@@\n-This is notes.\n+These are.\n*** Add File: ${at("notes", "c.md")}\n+New.\n*** Add File: mine.md\n+Mine.`,
  );
  const tool = catalogue.get("files.applyPatch");
  expect(await tool?.termsOf?.({ patch })).toMatchObject({ approval: "required", effect: "destructive" });
  expect(await tool?.termsOf?.({ patch: BEGIN("*** Add File: mine.md\n+Mine.") })).toMatchObject({
    approval: "auto",
  });
  const asked = JSON.stringify(await tool?.preview({ patch }));
  for (const part of [note, at("notes", "c.md"), "+These are.", "-This is notes."])
    expect(asked).toContain(part);
  await call("files.applyPatch", { patch });
  expect(readFileSync(note, "utf8")).toBe("These are.");
  expect(await call("files.read", { path: "mine.md" })).toMatchObject({ content: "Mine.\n" });

  const remove = catalogue.get("files.remove");
  expect(await remove?.termsOf?.({ path: note })).toMatchObject({ approval: "required" });
  expect(JSON.stringify(await remove?.preview({ path: note }))).toContain("-These are.");
  await call("files.remove", { path: note });
  expect(existsSync(note)).toBe(false);
  for (const path of [
    at("books", "a.md"),
    at("notes", "b.md"),
    at("notes", "link"),
    at("notes", "link", "a.md"),
  ])
    await expect(call("files.remove", { path }), path).rejects.toThrow();
  for (const path of [at("books", "a.md"), at("private", "a.md"), at("notes", "link", "a.md")])
    await expect(
      call("files.applyPatch", { patch: BEGIN(`*** Delete File: ${path}`) }),
      path,
    ).rejects.toThrow();
  for (const name of ["books", "private"]) expect(existsSync(at(name, "a.md"))).toBe(true);
});

test("[E844] nothing leads out of them: no dots, no link, no other folder, and never Deputy's home", async () => {
  const { call, at, folder } = await setup();
  for (const path of [
    at("private", "a.md"),
    `${at("notes")}/../private/a.md`,
    at("notes", "link", "a.md"),
    at("notes", "b.md"),
    at("notes-not", "a.md"),
    at("home", "a.md"),
    "/etc/hostname",
  ])
    await expect(call("files.read", { path }), path).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:path_refused|link_refused|not_found)$/),
    });
  const book = at("books", "a.md");
  for (const [tool, input] of [
    ["files.write", { path: book, content: "x" }],
    ["files.edit", { path: book, find: "This", replace: "x" }],
    ["files.remove", { path: book }],
    ["files.applyPatch", { patch: BEGIN(`*** Delete File: ${book}`) }],
  ] as const)
    await expect(call(tool, input), tool).rejects.toMatchObject({
      code: "path_refused",
      message: `${book} may be read, and not written`,
    });
  expect(readFileSync(at("books", "a.md"), "utf8")).toBe("This is books.");
  const wide = await setup(() => ["/"]);
  for (const path of [wide.at("home", "a.md"), `${wide.at("notes")}/../home/config.json`])
    await expect(wide.call("files.write", { path, content: "x" }), path).rejects.toMatchObject({
      code: "path_refused",
    });
  expect(folder).not.toBe(wide.folder);
});
