import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createFakeClock } from "@deputy/testing";
import { expect, test, vi } from "vitest";
import { DEFAULT_CELL_LIMITS, type CellOutcome } from "../sandbox.ts";
import { threadsNamed } from "../test/threads-named.ts";
import { createWorkerSandbox, type WorkerSandboxOptions } from "./worker-sandbox.ts";

function setup(options: WorkerSandboxOptions) {
  const sandbox = createWorkerSandbox(options);
  const spec = {
    code: "return 1",
    toolPaths: [],
    limits: DEFAULT_CELL_LIMITS,
    startedAtMs: 0,
    seed: 1,
    onCall: () => {},
  };
  return {
    run: (): Promise<CellOutcome> => sandbox.start(spec, new AbortController().signal).outcome,
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}

async function outcomeWith(wasmPath: string): Promise<CellOutcome> {
  await using world = setup({ wasmPath });
  return await world.run();
}

test("[C54] an engine that cannot be loaded fails the cell, not the host", async () => {
  const crashed = { kind: "failed", failure: { code: "sandbox_crashed" } };
  expect(await outcomeWith("/nowhere/quickjs.wasm")).toMatchObject(crashed);
  expect(await outcomeWith(fileURLToPath(import.meta.url))).toMatchObject(crashed);
});

test("[C55] an idle worker does not keep the process alive; a waiting cell does", async () => {
  const entry = new URL("./index.ts", import.meta.url).href;
  const script = `const { createWorkerSandbox } = await import(${JSON.stringify(entry)});
    const limits = { memoryBytes: 2 ** 24, cpuMs: 1000, stackBytes: 2 ** 17, maxCalls: 9, maxInFlight: 9, maxInputBytes: 99, maxResultBytes: 99, maxLogBytes: 99 };
    const run = (code) => {
      const cell = createWorkerSandbox().start({ code, toolPaths: ["a"], limits, startedAtMs: 0, seed: 1,
        onCall: (call) => { setTimeout(() => cell.settle(call.id, { kind: "ok", json: "2", atMs: 0 }), 50).unref(); } }, new AbortController().signal);
      return cell.outcome;
    };
    const outcome = await run("return 1 + await tools.a()");
    process.stdout.write(outcome.resultJson);`;
  const run = promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
    cwd: "/",
    timeout: 120_000,
  });
  expect(await run).toEqual({ stdout: "3", stderr: "" });
});

test("[C55] keeps an idle worker for a while, then ends it; the next cell starts another", async () => {
  const clock = createFakeClock();
  await using world = setup({ clock, limits: { idleMs: 60_000 } });
  const workers = (): number => threadsNamed("deputy-sandbox");
  for (let cell = 0; cell < 3; cell++) {
    expect(await world.run()).toMatchObject({ kind: "completed", resultJson: "1" });
    await clock.advance(59_999);
    expect(workers()).toBe(1);
  }
  await clock.advance(1);
  await vi.waitFor(() => expect(workers()).toBe(0));
  expect(await world.run()).toMatchObject({ kind: "completed", resultJson: "1" });
  expect(workers()).toBe(1);
});
