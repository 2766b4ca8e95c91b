import { readFileSync } from "node:fs";
import { createSystemClock } from "@deputy/kit";
import { afterAll, expect, test } from "vitest";
import { prepareModule } from "../module/prepare-module.ts";
import { spawnNodeWorker } from "../node/spawn-node-worker.ts";
import type { JobResult } from "./worker-pool.ts";
import { createWorkerPool } from "./worker-pool.ts";

const PROBE = readFileSync(new URL("../probe/probe.wasm", import.meta.url));
const GENEROUS = { wallMs: 120_000, cpuMs: 120_000 };
const live = new AbortController().signal;
let spawned = 0;
const pool = createWorkerPool({
  size: 1,
  clock: createSystemClock(),
  spawn() {
    spawned += 1;
    return spawnNodeWorker();
  },
});
afterAll(() => pool[Symbol.asyncDispose]());

async function run(
  args: readonly string[],
  about: { readonly limits?: typeof GENEROUS; readonly signal?: AbortSignal; readonly stdin?: string } = {},
): Promise<JobResult & { readonly said: string }> {
  const { module } = await prepareModule(PROBE, { maxMemoryBytes: 64 * 1024 * 1024 });
  let said = "";
  const result = await pool.run(
    {
      module,
      args: ["probe", ...args],
      env: {},
      stdin: new TextEncoder().encode(about.stdin ?? ""),
      files: new Map([["work/a.txt", new TextEncoder().encode("a")]]),
      preopens: [{ path: "/", directory: "/work" }],
    },
    {
      limits: about.limits ?? GENEROUS,
      output: (_stream, bytes) => (said += new TextDecoder().decode(bytes)),
    },
    about.signal ?? live,
  );
  return { ...result, said };
}

test("[WA9] a job gives its output, its outcome and its changes", async () => {
  expect(await run(["copy"], { stdin: "through" })).toMatchObject({
    outcome: { kind: "exited", code: 0 },
    said: "through",
    changes: [],
  });
  const { changes } = await run(["write", "/b.txt", "new"]);
  expect(changes).toEqual([
    { kind: "file", path: "work/b.txt", mode: 0o644, bytes: new TextEncoder().encode("new") },
  ]);
  expect((await run(["list", "/"])).said).toBe(".\n..\na.txt\n");
  expect(spawned).toBe(1);
});

test("[WA10] an endless loop ends with its thread, and the next job has another", async () => {
  const before = spawned;
  expect(await run(["loop"], { limits: { ...GENEROUS, wallMs: 200 } })).toMatchObject({
    outcome: { kind: "limit", limit: "wall" },
    changes: [],
  });
  expect((await run(["loop"], { limits: { ...GENEROUS, cpuMs: 200 } })).outcome).toEqual({
    kind: "limit",
    limit: "cpu",
  });
  const stopper = new AbortController();
  const running = run(["loop"], { signal: stopper.signal });
  setTimeout(() => stopper.abort(), 50);
  expect((await running).outcome).toEqual({ kind: "stopped" });
  expect((await run(["exit", "3"])).outcome).toEqual({ kind: "exited", code: 3 });
  expect(spawned).toBe(before + 3);
});

test("[WA11] jobs beyond the pool's size wait, and can be aborted while they do", async () => {
  const stopper = new AbortController();
  const first = run(["sleep", "1"]);
  const givenUp = run(["exit", "1"], { signal: stopper.signal });
  const third = run(["exit", "5"]);
  setTimeout(() => stopper.abort(), 20);
  await expect(givenUp).rejects.toMatchObject({ name: "AbortError" });
  expect((await first).outcome).toEqual({ kind: "exited", code: 0 });
  expect((await third).outcome).toEqual({ kind: "exited", code: 5 });
});
