#!/usr/bin/env node
// Starts Deputy. This file must run on old versions of Node, to say what is missing; Deputy itself needs 24.
import { existsSync } from "node:fs";
import * as nodeModule from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const NEEDED = 24;
/** Set for the Node that this file starts itself under: should that one be too old as well, it must not go on forever. */
const LAUNCHED = "DEPUTY_LAUNCHED";
const here = dirname(fileURLToPath(import.meta.url));
/**
 * For the daemon, which waits most of its life: V8 never gives back the room for new objects that it reserves while
 * the code is loaded, 12 MB of it unless it is told so before it starts. Half of it would be collected too often.
 */
const SMALL_YOUNG_SPACE = "--max-semi-space-size=2";
/**
 * For the daemon: under sudden load V8 lets garbage grow to more than twice of what lives, 80 MB for 500 conversations.
 * With less than this, collections of the whole heap come so often that they slow one message in twenty.
 */
const SMALL_GARBAGE = "--heap-growing-percent=30";
/** For the daemon: glibc otherwise keeps what it has once had, 30 MB after the first few tasks. */
const SMALL_MALLOC = { MALLOC_ARENA_MAX: "2", MALLOC_TRIM_THRESHOLD_: "131072" };

function pinnedNode() {
  try {
    const folder = dirname(nodeModule.createRequire(import.meta.url).resolve("node/package.json"));
    const path = join(folder, "bin", process.platform === "win32" ? "node.exe" : "node");
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Runs this same file under the pinned Node. The channel tells the child when this process dies, however it dies. */
async function runUnder(path) {
  const { spawn } = await import("node:child_process");
  const flags = process.argv[2] === "serve" ? [SMALL_YOUNG_SPACE, SMALL_GARBAGE] : [];
  const child = spawn(path, [...flags, ...process.argv.slice(1)], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { ...(flags.length > 0 ? SMALL_MALLOC : {}), ...process.env, [LAUNCHED]: "1" },
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    process.stderr.write(`deputy: cannot start ${path}: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on("exit", (code, signal) => {
    if (signal) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    } else process.exitCode = code ?? 1;
  });
}

/** Begins the same process anew, as a daemon's. */
function startSmall() {
  const isSmall = process.execArgv.includes(SMALL_YOUNG_SPACE);
  if (process.argv[2] !== "serve" || isSmall || process.platform === "win32") return;
  try {
    const args = [
      process.execPath,
      SMALL_YOUNG_SPACE,
      SMALL_GARBAGE,
      ...process.execArgv,
      ...process.argv.slice(1),
    ];
    process.execve?.(process.execPath, args, { ...SMALL_MALLOC, ...process.env });
  } catch {
    // It only takes more memory then.
  }
}

if (Number(process.versions.node.split(".")[0]) >= NEEDED) {
  const fromSources = existsSync(join(here, "..", "src", "main.ts"));
  if (!process.channel) startSmall();
  delete process.env[LAUNCHED];
  // They were for this process, not for what it starts.
  for (const [name, value] of Object.entries(SMALL_MALLOC))
    if (process.env[name] === value) delete process.env[name];
  // Keeps what was stripped and compiled between starts: from the sources less than half the CPU and 30 MB less memory,
  // installed a quarter of the CPU less. Where the folder is somebody else's, it only takes longer.
  nodeModule.enableCompileCache(
    fromSources
      ? join(here, "..", "..", "..", "node_modules", ".cache", "deputy")
      : join(here, "..", ".cache"),
  );
  const { main } = await import(fromSources ? "../src/main.ts" : "../dist/main.js");
  await main(process.argv.slice(2));
} else if (!process.env[LAUNCHED] && pinnedNode()) {
  await runUnder(pinnedNode());
} else {
  process.stderr.write(
    `deputy: this needs Node ${NEEDED} or newer, and this is Node ${process.versions.node}.\n` +
      `Nothing was changed. To get it: https://nodejs.org/en/download, or \`nvm install ${NEEDED}\`, ` +
      `or \`npx node@${NEEDED} "$(command -v deputy)"\` to try without installing.\n`,
  );
  process.exitCode = 1;
}
