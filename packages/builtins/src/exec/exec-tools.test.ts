import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSystemClock } from "@deputy/kit";
import { requireTool } from "@deputy/testing";
import { afterAll, expect, test } from "vitest";
import { createCatalogue } from "@deputy/tools";
import { createCommandRunner } from "../node/command-runner.ts";
import { openNoPlace, runnerParts } from "../node/sandbox/places.fixture.ts";
import type { CommandJudge } from "../bash/judged-command.ts";
import { createWorkspaceChanges } from "../bash/workspace-changes.ts";
import { createWorkspaceLane } from "@deputy/workspace";
import { execTool, processTools } from "./exec-tools.ts";
import { createProcessRegistry } from "./process-registry.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "deputy-exec-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const live = new AbortController().signal;

interface Result {
  readonly status: string;
  readonly processId: string;
  readonly stdout: string;
  readonly exitCode?: number;
  readonly error?: string;
}

/** Real commands, without a sandbox. */
function setup(judge: CommandJudge = () => ({ verdict: "ask", reasons: [] }), timeoutMs = 60_000) {
  let ids = 0;
  const ended: string[] = [];
  const registry = createProcessRegistry({
    clock: createSystemClock(),
    newId: () => `p${(ids += 1)}`,
    record: { begin: () => undefined, end: () => undefined },
    onEnd: (_session, { id }) => void ended.push(id),
    signal: live,
  });
  const runner = createCommandRunner({
    ...runnerParts(),
    choosePlace: async () => openNoPlace(),
    folder: async () => folder,
    env: { PATH: process.env["PATH"] },
    maxOutputBytes: 10_000,
  });
  const state = async (): Promise<string> => "";
  const deps = { runner, judge, state, timeoutMs, processes: async () => registry };
  const changes = createWorkspaceChanges({ lane: createWorkspaceLane(), state });
  const tree = { exec: execTool(deps, changes), process: processTools(deps) };
  const catalogue = createCatalogue([{ source: "test", tree }]);
  const toolAt = (path: string) => requireTool(catalogue, path);
  const call = async (
    path: string,
    input: unknown,
    over: { session?: string; signal?: AbortSignal } = {},
  ) => {
    const tool = toolAt(path);
    const parsed = await tool.parseInput(input);
    if (parsed.kind === "invalid") throw new Error(parsed.message);
    const { approval } = (await tool.termsOf?.(parsed.input)) ?? tool;
    const context = {
      idempotencyKey: "k",
      sessionKey: "key",
      session: over.session ?? "here",
      signal: over.signal ?? live,
      approvedBy: approval === "auto" ? ("terms" as const) : ("user" as const),
      progress: () => undefined,
      log: () => undefined,
    };
    return (await tool.run(parsed.input, context)) as Result;
  };
  return {
    catalogue,
    toolAt,
    call,
    ended,
    lane: changes.lane,
    [Symbol.asyncDispose]: () => registry[Symbol.asyncDispose](),
  };
}

test("[TP1] a command that ends in time gives its result, as bash.run does", async () => {
  await using world = setup();
  expect(await world.call("exec", { command: "echo out; exit 4" })).toMatchObject({
    status: "ended",
    stdout: "out\n",
    exitCode: 4,
  });
  expect(await world.call("process.list", {})).toEqual([]);
  expect(world.ended).toEqual([]);
});

test("[TP1] [TP3] one that takes longer goes on: its output is read, it is waited for, its end is told", async () => {
  await using world = setup();
  spawnSync("mkfifo", [join(folder, "go")]);
  const started = await world.call("exec", { command: "echo first; read line < go; echo $line", yieldMs: 0 });
  expect(started).toMatchObject({ status: "running", processId: "p1" });
  const log = async (): Promise<string> => (await world.call("process.log", { processId: "p1" })).stdout;
  await expect.poll(log).toContain("first");
  expect(await world.call("process.list", {})).toMatchObject([{ processId: "p1", status: "running" }]);
  await expect(world.call("process.log", { processId: "p1" }, { session: "there" })).rejects.toMatchObject({
    code: "process_not_found",
  });
  const waiting = world.call("process.wait", { processId: "p1", ms: 60_000 });
  await writeFile(join(folder, "go"), "second\n");
  expect(await waiting).toMatchObject({ status: "ended", stdout: "first\nsecond\n", exitCode: 0 });
  expect(world.ended).toEqual(["p1"]);
});

test("[TP1] background does not wait, and a command without stdin has an empty input", async () => {
  await using world = setup();
  const { processId } = await world.call("exec", { command: "cat; echo over", background: true });
  expect(await world.call("process.wait", { processId, ms: 60_000 })).toMatchObject({
    status: "ended",
    stdout: "over\n",
    exitCode: 0,
  });
  await expect(world.call("process.write", { processId, text: "x" })).rejects.toMatchObject({
    code: "process_not_writable",
  });
});

test("[TP3] what is written to a command's input asks each time: to a shell it is a command", async () => {
  await using world = setup();
  const { processId } = await world.call("exec", { command: "bash", background: true, stdin: true });
  const write = world.toolAt("process.write");
  expect(write).toMatchObject({ approval: "required", effect: "destructive", grantable: "input" });
  expect(await write.preview({ processId, text: "rm -r x", end: false })).toMatchObject({
    title: `Write to the process ${processId}: rm -r x`,
  });
  await world.call("process.write", { processId, text: "echo said\n" });
  await world.call("process.write", { processId, text: "exit 5\n", end: true });
  expect(await world.call("process.wait", { processId, ms: 60_000 })).toMatchObject({
    stdout: "said\n",
    exitCode: 5,
  });
});

test("[TP3] kill, and a stop of the call that waits, end everything a command started", async () => {
  await using world = setup();
  const mark = `${process.pid}${Date.now()}`.slice(-9);
  const sleepers = (): string => spawnSync("pgrep", ["-f", `sleep ${mark}`], { encoding: "utf8" }).stdout;
  const slow = `(sleep ${mark} &) ; sleep ${mark}`;
  const { processId } = await world.call("exec", { command: slow, background: true });
  await expect.poll(sleepers).not.toBe("");
  const killed = await world.call("process.kill", { processId });
  expect(killed).toMatchObject({ status: "ended", error: "It was ended before it was done" });
  await expect.poll(sleepers).toBe("");

  const stop = new AbortController();
  const stopped = world.call("exec", { command: slow, yieldMs: 60_000 }, { signal: stop.signal });
  await expect.poll(sleepers).not.toBe("");
  stop.abort(new Error("enough"));
  await expect(stopped).rejects.toThrow("enough");
  await expect.poll(sleepers).toBe("");
});

test("[TP2] exec asks as bash.run does, and says that it may go on", async () => {
  await using world = setup(() => ({ verdict: "ask", reasons: ["make is not allowed"] }));
  const exec = world.toolAt("exec");
  expect(exec).toMatchObject({
    approval: "required",
    effect: "destructive",
    grantable: "input",
    idempotent: false,
  });
  const { title, details } = await exec.preview({
    command: "make",
    cwd: "",
    timeoutMs: 1_800_000,
    stdin: false,
  });
  expect(title).toBe("Run make");
  expect(details).toContain("No sandbox");
  expect(details).toContain("in the background, for 30 min at most");
  expect(details).toContain("make is not allowed");
});

test("[TP2] a denied command does not run, and one that is cleared keeps others from the files until it ends", async () => {
  const judge: CommandJudge = (command) => ({
    verdict: command.startsWith("rm") ? "deny" : "allow",
    reasons: ["no"],
  });
  await using world = setup(judge, 500);
  await expect(world.call("exec", { command: "rm -rf /" })).rejects.toMatchObject({ code: "command_denied" });
  const { processId } = await world.call("exec", { command: "sleep 600", background: true });
  let isFree = false;
  const free = world.lane(live, async () => {
    isFree = true;
  });
  expect(isFree).toBe(false);
  // Nobody was asked: it has the time that bash.run has, not that of exec.
  await free;
  expect(await world.call("process.log", { processId })).toMatchObject({ status: "ended", exitCode: 124 });
});
