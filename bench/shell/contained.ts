import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openContainedShell } from "@deputy/contained-shell/node";
import { median, reportLimit, reportRatio } from "../report.ts";
import { sized } from "../sized.ts";

const ROUNDS = sized(5, 1);
const FILES = sized(5_000, 50);
const COMMANDS = sized(500, 20);
const PEER = "just-bash@3.4.2";
const live = new AbortController().signal;

/** CPU time of a command that is started, and of `grep -r`, in threads as agents use them. */
export async function benchContained(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "deputy-bench-shell-"));
  try {
    makeFiles(folder);
    await using shell = openContainedShell({ folder: async () => folder });
    const run = async (script: string): Promise<number> => {
      const begin = process.cpuUsage();
      await shell.run({ script }, { output: () => undefined }, live);
      const { user, system } = process.cpuUsage(begin);
      return (user + system) / 1_000;
    };
    await run("true");
    await run(STARTS);
    const starts: number[] = [];
    // oxlint-disable-next-line no-await-in-loop -- rounds must not run side by side
    for (let round = 0; round < ROUNDS; round += 1) starts.push((await run(STARTS)) / COMMANDS);
    reportLimit("contained shell, a warm command", median(starts), "ms CPU", 1);

    await run(SEARCH);
    const peer = bringPeer();
    const rounds: { readonly ours: number; readonly raw: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      // oxlint-disable-next-line no-await-in-loop -- rounds must not run side by side
      const ours = await run(SEARCH);
      const raw = peer === undefined ? Number.NaN : searchWithPeer(peer, folder);
      rounds.push({ ours, raw });
    }
    reportRatio(`contained shell, grep -r over ${FILES} files, beside just-bash`, "ms CPU", rounds, 0.5);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `/usr/bin/true` is a program; `true` would be the shell itself. */
const STARTS = `for i in {1..${COMMANDS}}; do /usr/bin/true; done`;
const SEARCH = "grep -rn needle . | wc -l";

function makeFiles(folder: string): void {
  const line = "The quick brown fox jumps over the lazy dog and goes on with its day.\n";
  for (let at = 0; at < FILES; at += 1) {
    const place = join(folder, `d${String(at % 50)}`);
    if (at < 50) mkdirSync(place);
    writeFileSync(join(place, `f${String(at)}.txt`), `${line.repeat(20)}${at % 10 === 0 ? "needle\n" : ""}`);
  }
}

/** It is no dependency: npm brings it when the benchmark is first run. Undefined where that cannot be done. */
function bringPeer(): string | undefined {
  if (sized("full", "smoke") === "smoke") return undefined;
  const place = join(tmpdir(), `deputy-bench-${PEER.replace("@", "-")}`);
  if (!existsSync(join(place, "node_modules"))) {
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, "package.json"), "{}");
    const brought = spawnSync("npm", ["install", "--ignore-scripts", "--no-save", PEER], { cwd: place });
    if (brought.status !== 0) return undefined;
  }
  return place;
}

/** CPU time of the same search in a warm just-bash of a process of its own, over the same folder. */
function searchWithPeer(place: string, folder: string): number {
  const program = `
    import { Bash, OverlayFs } from "just-bash";
    const fs = new OverlayFs({ root: ${JSON.stringify(folder)}, mountPoint: "/work" });
    const bash = new Bash({ fs, cwd: "/work" });
    await bash.exec("grep -rn needle d1 | wc -l");
    const begin = process.cpuUsage();
    await bash.exec("grep -rn needle . | wc -l");
    const { user, system } = process.cpuUsage(begin);
    console.log((user + system) / 1000);`;
  const done = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: place,
    encoding: "utf8",
  });
  return Number(done.stdout.trim() === "" ? Number.NaN : done.stdout);
}
