import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { createMemoryFileSystem } from "@deputy/vfs";
import { expect, test } from "vitest";
import { defaultModuleRules, prepareModule } from "../module/prepare-module.ts";
import { runProgram } from "./run-program.ts";
import { createSystemWasiClock } from "./system-clock.ts";

// Newer versions of Node have it by themselves.
setFlagsFromString("--experimental-wasm-jspi");
const PROBE = readFileSync(new URL("../probe/probe.wasm", import.meta.url));

async function show(path: string, waiting: "suspend" | "spool", directory = "/"): Promise<string> {
  const clock = createSystemWasiClock();
  const random = (length: number): Uint8Array => new Uint8Array(length);
  const fileSystem = createMemoryFileSystem({ now: clock.realtime, random });
  fileSystem.makeDirectory("/box");
  let out = "";
  const parts = ["one ", "two", ""];
  await runProgram(
    await prepareModule(PROBE, defaultModuleRules),
    {
      args: ["probe", "show", path],
      env: {},
      fileSystem,
      preopens: [{ path: directory, directory }],
      clock,
      random,
      waiting,
      streams: new Map([
        [
          63,
          { read: async () => new TextEncoder().encode(parts.shift() ?? ""), write: () => "closed" as const },
        ],
      ]),
      stdin: { read: () => new Uint8Array() },
      stdout: { write: (bytes) => ((out += new TextDecoder().decode(bytes)), "taken") },
      stderr: { write: () => "taken" },
    },
    new AbortController().signal,
  );
  return out;
}

test("[WA9] /dev/fd/N is the stream of that number, where programs can wait and have the root", async () => {
  expect(await show("/dev/fd/63", "suspend")).toBe("one two");
  expect(await show("/dev/fd/62", "suspend")).toContain("No such file");
  expect(await show("/dev/fd/63", "spool")).toContain("No such file");
  expect(await show("/box/dev/fd/63", "suspend", "/box")).toContain("No such file");
});
