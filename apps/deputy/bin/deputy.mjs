#!/usr/bin/env node
// Starts Deputy. This file must run on old versions of Node, to say what is missing; Deputy itself needs 24.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import * as nodeModule from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const NEEDED = 24;
/** Set for the Node that this file starts itself under: should that one be too old as well, it must not go on forever. */
const LAUNCHED = "DEPUTY_LAUNCHED";
const here = dirname(fileURLToPath(import.meta.url));

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
function runUnder(path) {
  const child = spawn(path, process.argv.slice(1), {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { ...process.env, [LAUNCHED]: "1" },
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

if (Number(process.versions.node.split(".")[0]) >= NEEDED) {
  delete process.env[LAUNCHED];
  const fromSources = existsSync(join(here, "..", "src", "main.ts"));
  // Keeps stripped and compiled sources between starts: less than half the CPU, and 30 MB less memory.
  if (fromSources)
    nodeModule.enableCompileCache(join(here, "..", "..", "..", "node_modules", ".cache", "deputy"));
  const { main } = await import(fromSources ? "../src/main.ts" : "../dist/main.js");
  await main(process.argv.slice(2));
} else if (!process.env[LAUNCHED] && pinnedNode()) {
  runUnder(pinnedNode());
} else {
  process.stderr.write(
    `deputy: this needs Node ${NEEDED} or newer, and this is Node ${process.versions.node}.\n` +
      `Nothing was changed. To get it: https://nodejs.org/en/download, or \`nvm install ${NEEDED}\`, ` +
      `or \`npx node@${NEEDED} "$(command -v deputy)"\` to try without installing.\n`,
  );
  process.exitCode = 1;
}
