import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { DEFAULT_CELL_LIMITS, type CellOutcome } from "../sandbox.ts";
import { createWorkerSandbox } from "./worker-sandbox.ts";

async function outcomeWith(wasmPath: string): Promise<CellOutcome> {
  await using sandbox = createWorkerSandbox({ wasmPath });
  const spec = {
    code: "return 1",
    toolPaths: [],
    limits: DEFAULT_CELL_LIMITS,
    startedAtMs: 0,
    seed: 1,
    onCall: () => {},
  };
  return await sandbox.start(spec, new AbortController().signal).outcome;
}

test("[C54] an engine that cannot be loaded fails the cell, not the host", async () => {
  const crashed = { kind: "failed", failure: { code: "sandbox_crashed" } };
  expect(await outcomeWith("/nowhere/quickjs.wasm")).toMatchObject(crashed);
  expect(await outcomeWith(fileURLToPath(import.meta.url))).toMatchObject(crashed);
});

test("[C55] an idle worker does not keep the process alive; a cell that waits does", async () => {
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
    timeout: 20_000,
  });
  expect(await run).toEqual({ stdout: "3", stderr: "" });
});
