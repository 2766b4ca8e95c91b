import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { makeTestTarball } from "../e2e/test-bundle.ts";
import { readProcessTree } from "./process-stats.ts";
import { median, reportLimit } from "./report.ts";
import { sized } from "./sized.ts";

const FROM_SOURCES = { cpuSeconds: 0.6, idleMb: 105 };
const AS_INSTALLED = { cpuSeconds: 0.45, idleMb: 100 };
/** 61 MB without memory, and at most 45 MB more with it: the model's weights, and what runs them. */
const INSTALL_MB = 106;
const RUN_MODULES = 450;
const RUNS = sized(5, 1);
const SETTLE_MS = sized(3_000, 100);

const sources = fileURLToPath(new URL("../apps/deputy/bin/deputy.mjs", import.meta.url));

/** What a run loads; start to healthy, idle memory, and the installed size. */
export async function benchDaemon(): Promise<void> {
  const modules = await countModules("```ts\nreturn await tools.todo.read({});\n```");
  reportLimit("deputy run of a fenced program, from the sources: modules of ours", modules, "", RUN_MODULES);
  await measureStart("daemon from the sources", sources, FROM_SOURCES);
  const scratch = mkdtempSync(join(tmpdir(), "deputy-bench-"));
  try {
    const installed = await installPackage(scratch);
    reportLimit("production install, on disk", sizeOf(join(scratch, "install")) / 1e6, "MB", INSTALL_MB);
    await measureStart("daemon as installed", installed, AS_INSTALLED);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The modules of the repository that are loaded for a prompt, in the process itself. */
async function countModules(prompt: string): Promise<number> {
  const count = `
    import { registerHooks } from "node:module";
    const loaded = new Set();
    const load = (url, context, next) => (loaded.add(url), next(url, context));
    registerHooks({ load });
    const isOurs = (url) => /^file:.*[/](?:packages|apps)[/]/.test(url) && !url.includes("/node_modules/");
    process.on("exit", () => process._rawDebug("modules", [...loaded].filter(isOurs).length));`;
  const home = mkdtempSync(join(tmpdir(), "deputy-home-"));
  try {
    const hook = `data:text/javascript,${encodeURIComponent(count)}`;
    const child = spawn(process.execPath, ["--import", hook, sources, "run", "--home", home, prompt], {
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...process.env, DEPUTY_MODEL: "rehearsal/tour" },
    });
    return Number(/^modules (\d+)$/m.exec(await text(child.stderr))?.[1]);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function measureStart(
  what: string,
  launcher: string,
  limits: { readonly cpuSeconds: number; readonly idleMb: number },
): Promise<void> {
  const cpu: number[] = [];
  const rss: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const home = mkdtempSync(join(tmpdir(), "deputy-home-"));
    const child = spawn(process.execPath, [launcher, "serve", "--json", "--port", "0", "--home", home], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      const ready = await firstLine(child.stdout);
      const { url } = JSON.parse(ready) as { url: string };
      await fetch(new URL("/health", url));
      const pid = child.pid ?? 0;
      cpu.push(readProcessTree(pid).cpuSeconds);
      await sleep(SETTLE_MS);
      rss.push(readProcessTree(pid).rssBytes / 1e6);
    } finally {
      child.kill("SIGTERM");
      await new Promise((resolve) => child.once("exit", resolve));
      rmSync(home, { recursive: true, force: true });
    }
  }
  reportLimit(`${what}: CPU to healthy (median of ${RUNS})`, median(cpu), "s", limits.cpuSeconds);
  reportLimit(`${what}: idle RSS, children included`, median(rss), "MB", limits.idleMb);
}

async function firstLine(stream: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stream })) return line;
  throw new Error("The daemon ended before it was ready");
}

/** Packs and installs as a user would; returns the installed launcher. */
async function installPackage(scratch: string): Promise<string> {
  const tarball = await makeTestTarball();
  const prefix = join(scratch, "install");
  const args = ["install", "--prefix", prefix, "--no-audit", "--no-fund", tarball];
  execFileSync("npm", args, { cwd: scratch, stdio: "ignore" });
  return join(prefix, "node_modules/@deputy/deputy/bin/deputy.mjs");
}

/** What the files take up, in whole disk blocks. */
function sizeOf(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return stat.blocks * 512;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), stat.blocks * 512);
}
