import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCatalogue } from "@deputy/tools";
import { afterEach, beforeEach, expect, test } from "vitest";
import { configSchema } from "../config.ts";
import { openBuiltins } from "./open-builtins.ts";

const live = new AbortController().signal;
let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "deputy-cleared-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Deputy's own tools over a new home, with the real shell gate and bash. */
async function setup() {
  const config = configSchema.parse({ tools: { bash: { approval: "allowlist", sandbox: "none" } } });
  const catalogue = createCatalogue([
    await openBuiltins({ directory: join(folder, "home"), config }, process.env),
  ]);
  /** Up to the policy's decision; the returned function runs it. */
  const judge = async (path: string, raw: unknown) => {
    const tool = catalogue.get(path);
    const parsed = await tool?.parseInput(raw);
    if (tool === undefined || parsed?.kind !== "ok") throw new Error(`${path} cannot be called so`);
    const { approval } = (await tool.termsOf?.(parsed.input)) ?? tool;
    const approvedBy = approval === "auto" ? ("terms" as const) : ("user" as const);
    const context = { signal: live, idempotencyKey: "k", sessionKey: "s", progress: () => {}, log: () => {} };
    return { approval, run: () => tool.run(parsed.input, { ...context, approvedBy }) };
  };
  const call = async (path: string, input: unknown) => (await judge(path, input)).run();
  return { judge, call };
}

/** A file whose name is an option that makes sort run the sorted file with bash. */
const OPTION = { path: "d/--compress-program=bash", content: "" };
const SORT = { command: "sort * > ../sorted", cwd: "d" };

/** A folder that may be sorted, with content to run: long enough that sort writes parts of it to a file. */
async function plant(call: Awaited<ReturnType<typeof setup>>["call"]): Promise<void> {
  await call("files.write", { path: "d/data", content: "touch ran; exit\n".repeat(2_000) });
  await call("files.write", { path: "d/-S1k", content: "" });
}

async function hasRun(call: Awaited<ReturnType<typeof setup>>["call"]): Promise<boolean> {
  return JSON.stringify(await call("files.list", { path: "d" })).includes('"ran"');
}

test("[TB12] a command does not run without a yes if its files changed since it was judged", async () => {
  const { judge, call } = await setup();
  await plant(call);
  const cleared = await judge("bash.run", SORT);
  expect(cleared.approval).toBe("auto");
  await call("files.write", OPTION);
  await expect(cleared.run()).rejects.toMatchObject({ code: "command_not_cleared" });
  expect(await hasRun(call)).toBe(false);
  expect((await judge("bash.run", SORT)).approval).toBe("required");
});

test("[TB12] a write beside an allowed command happens after it", async () => {
  const { judge, call } = await setup();
  await plant(call);
  for (let round = 0; round < 3; round += 1) {
    const cleared = await judge("bash.run", SORT);
    const [command, write] = await Promise.all([cleared.run(), call("files.write", OPTION)]);
    expect(write).toMatchObject({ change: "created" });
    expect(command).toMatchObject({ exitCode: 0, stderr: "" });
    expect(await hasRun(call)).toBe(false);
    await call("files.remove", { path: OPTION.path });
  }
});

test("[TB12] the same command, approved by the user, runs what is in the files", async () => {
  const { judge, call } = await setup();
  await plant(call);
  await call("files.write", OPTION);
  expect((await judge("bash.run", SORT)).approval).toBe("required");
  await call("bash.run", { ...SORT, timeoutMs: 10_000 });
  expect(await hasRun(call)).toBe(true);
});
