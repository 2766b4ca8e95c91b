import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
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
  return { folder, call, at: (...names: string[]) => join(folder, ...names) };
}

test("[E844] files of the folders in the settings are read and written where they are", async () => {
  const { call, at } = await setup();
  expect(await call("files.read", { path: at("books", "a.md") })).toMatchObject({
    content: "This is books.",
  });
  await call("files.write", { path: at("notes", "new", "c.md"), content: "New." });
  expect(readFileSync(at("notes", "new", "c.md"), "utf8")).toBe("New.");
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
  await expect(call("files.write", { path: at("books", "a.md"), content: "x" })).rejects.toMatchObject({
    code: "path_refused",
  });
  expect(readFileSync(at("books", "a.md"), "utf8")).toBe("This is books.");
  const wide = await setup(() => ["/"]);
  for (const path of [wide.at("home", "a.md"), `${wide.at("notes")}/../home/config.json`])
    await expect(wide.call("files.write", { path, content: "x" }), path).rejects.toMatchObject({
      code: "path_refused",
    });
  expect(folder).not.toBe(wide.folder);
});
