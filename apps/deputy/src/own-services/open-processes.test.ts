import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createIdSource } from "@deputy/kit";
import { createRedactor } from "@deputy/secrets";
import { createFakeClock, createMemoryEventLog } from "@deputy/testing";
import { createProcessRecord } from "@deputy/builtins/node/processes";
import { expect, test } from "vitest";
import { hasLeftProcesses, processFolderOf } from "./left-processes.ts";
import { openProcesses } from "./open-processes.ts";

const SECRET = "a-secret-of-ours";
const signal = new AbortController().signal;

async function setup() {
  const home = mkdtempSync(join(tmpdir(), "deputy-processes-"));
  const clock = createFakeClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  const session = ids.next("session");
  const data = { agentId: "main", key: "k", channel: "cli" };
  await log.append(session, [{ type: "session.started", data }]);
  const warnings: string[] = [];
  const warn = (text: string): void => void warnings.push(text);
  const open = () => openProcesses({ home, log, redactor: createRedactor([SECRET]), clock, warn, signal });
  const notes = async (): Promise<readonly unknown[]> =>
    (await Array.fromAsync(log.read(session)))
      .filter(({ type }) => type === "user.message")
      .map((event) => Reflect.get(Object(event.data), "text"));
  return {
    home,
    log,
    session,
    open,
    notes,
    warnings,
    [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }),
  };
}

const ended = {
  stdout: "",
  stderr: "",
  exitCode: 2,
  timedOut: false,
  cut: { stdout: 0, stderr: 0 },
  durationMs: 1,
  sandbox: "none",
};

test("logs in the session that a command has ended, how, and where its output is, without secrets", async () => {
  using world = await setup();
  await using registry = await world.open();
  const run = Promise.withResolvers<typeof ended>();
  const started = registry.start({
    session: world.session,
    command: `make ${SECRET}`,
    run: (_signal, onStart) => {
      onStart({ pid: process.pid, output: () => ended, write: () => false });
      return run.promise;
    },
  });
  started.leave();
  expect(hasLeftProcesses(world.home)).toBe(true);
  run.resolve(ended);
  await expect
    .poll(world.notes)
    .toEqual([
      `[Not written by the user; a note of Deputy's:] The command \`make [redacted]\` in the background has ended with exit code 2. tools.process.log({ processId: "${started.id}" }) has its output.`,
    ]);
  expect(hasLeftProcesses(world.home)).toBe(false);
  const heard = (await Array.fromAsync(world.log.read(world.session))).find(
    ({ type }) => type === "system.noted",
  );
  expect(heard?.data).toMatchObject({ ref: started.id, source: "exec", session: world.session });
  expect(JSON.stringify(heard)).not.toContain(SECRET);
});

test("the next start ends what a killed process left, and tells its session that the outcome is unknown", async () => {
  using world = await setup();
  const child = spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
  await once(child, "spawn");
  const record = createProcessRecord(processFolderOf(world.home));
  record.begin("p1", { pid: child.pid ?? 0, session: world.session, command: "sleep 600" });
  const gone = once(child, "exit");
  await using _registry = await world.open();
  expect(await gone).toEqual([null, "SIGKILL"]);
  expect(await world.notes()).toEqual([
    "[Not written by the user; a note of Deputy's:] The command `sleep 600` was running in the background when Deputy stopped. It has been killed now; what it did is unknown.",
  ]);
  expect(hasLeftProcesses(world.home)).toBe(false);
});

test("warns if the log refuses a note, and stops nothing", async () => {
  using world = await setup();
  createProcessRecord(processFolderOf(world.home)).begin("p1", {
    pid: 2 ** 22,
    session: world.session,
    command: "x",
  });
  world.log.close();
  await using _registry = await world.open();
  expect(world.warnings).toEqual(["Deputy could not note in the session that a command has ended."]);
});
