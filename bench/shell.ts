import { spawnSync } from "node:child_process";
import { createShell } from "@deputy/shell";
import { createMemoryFileSystem } from "@deputy/vfs";
import { reportRatio } from "./report.ts";
import { benchContained } from "./shell/contained.ts";
import { sized } from "./sized.ts";

const ROUNDS = sized(7, 1);
const LOOPS = sized(10_000, 10);
const SCRIPT = `i=0; while [ $i -lt ${String(LOOPS)} ]; do i=$((i+1)); x="a$i"; done; echo $x`;

/** CPU time of a loop of builtins beside bash, and of commands and a search beside just-bash. */
export async function benchShell(): Promise<void> {
  await benchLoop();
  await benchContained();
}

async function benchLoop(): Promise<void> {
  const shell = createShell({
    fileSystem: createMemoryFileSystem({ now: () => 0n, random: (size) => new Uint8Array(size) }),
    commands: { find: () => undefined, names: () => [] },
    now: () => Date.now(),
    random: () => 0.5,
  });
  const rounds: { readonly ours: number; readonly raw: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const begin = process.cpuUsage();
    // oxlint-disable-next-line no-await-in-loop -- rounds must not run side by side
    await shell.run({
      script: SCRIPT,
      env: {},
      cwd: "/",
      stdin: { read: () => new Uint8Array(0) },
      stdout: { write: () => undefined },
      stderr: { write: () => undefined },
      signal: new AbortController().signal,
    });
    const used = process.cpuUsage(begin);
    const timed = spawnSync("bash", ["-c", `${SCRIPT}; times`], { encoding: "utf8" }).stdout;
    const [, user = "0", system = "0"] = /0m([\d.]+)s 0m([\d.]+)s/.exec(timed) ?? [];
    rounds.push({ ours: (used.user + used.system) / 1000, raw: (Number(user) + Number(system)) * 1000 });
  }
  reportRatio(`shell, a loop of ${String(LOOPS)} rounds, beside bash`, "ms CPU", rounds, 4);
}
