import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type CatalogueTool,
  createCatalogue,
  defineTool,
  JsonResult,
  type ToolContext,
  type ToolTree,
} from "@deputy/tools";
import { openPlugin } from "@deputy/tools/node";
import { z } from "zod";
import { readProcessTree } from "./process-stats.ts";
import { sized } from "./sized.ts";
import { median, reportLimit, reportPeer } from "./report.ts";

const ROUNDS = sized(5, 1);
const CALLS = sized(1_000, 10);
const STARTS = sized(5, 1);
const START_CPU_MS = 400;
const HOST_MB = 110;
const CALL_MICROS = 1_000;

const PLUGIN = `import { defineTool } from "@deputy/tools";
import { z } from "zod";
export default { notes: { read: defineTool({
  description: "Read a note",
  approval: "auto",
  args: z.object({ n: z.number(), words: z.string().default("none") }),
  returns: z.object({ text: z.string() }),
  run: ({ n }) => ({ text: "note " + n }),
}) } };`;

/** The cost of a plugin's own process: its start, its memory, and each call compared with one in this process. */
export async function benchPlugins(): Promise<void> {
  // As the daemon has it from the sources.
  enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/deputy", import.meta.url)));
  const folder = mkdtempSync(join(tmpdir(), "deputy-bench-"));
  try {
    const file = join(folder, "notes.ts");
    writeFileSync(file, PLUGIN);
    await measureStart(file);
    await measureCalls(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const open = (file: string) =>
  openPlugin(file, { env: process.env, print: () => undefined, signal: new AbortController().signal });

async function measureStart(file: string): Promise<void> {
  const cpu: number[] = [];
  const rss: number[] = [];
  // The first writes what it compiled to the cache.
  await (await open(file))[Symbol.asyncDispose]();
  for (let start = 0; start < STARTS; start++) {
    const before = readProcessTree(process.pid);
    await using _plugin = await open(file);
    const after = readProcessTree(process.pid);
    cpu.push((after.cpuSeconds - before.cpuSeconds) * 1_000);
    rss.push((after.rssBytes - before.rssBytes) / 1e6);
  }
  reportLimit(`plugin host: CPU of a start (median of ${STARTS})`, median(cpu), "ms", START_CPU_MS);
  reportLimit("plugin host: RSS, node's own pages included", median(rss), "MB", HOST_MB);
}

async function measureCalls(file: string): Promise<void> {
  await using plugin = await open(file);
  const hosted = toolOf(plugin.tree);
  // The same as in the file.
  const inProcess = toolOf({
    notes: {
      read: defineTool({
        description: "Read a note",
        approval: "auto",
        args: z.object({ n: z.number(), words: z.string().default("none") }),
        returns: z.object({ text: z.string() }),
        run: ({ n }) => ({ text: `note ${n}` }),
      }),
    },
  });
  for (const tool of [hosted, inProcess]) await callOften(tool);
  const ours: Measured[] = [];
  const peer: Measured[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await callOften(hosted));
    peer.push(await callOften(inProcess));
  }
  for (const [what, of] of [
    ["wall time", ({ wallMicros }: Measured) => wallMicros],
    ["CPU of Deputy", ({ cpuMicros }: Measured) => cpuMicros],
  ] as const)
    reportPeer(`plugin tool: parsed and run, ${what}`, "µs", ours.map(of), {
      name: "in process",
      rounds: peer.map(of),
    });
  reportLimit(
    "plugin tool: parsed and run",
    median(ours.map(({ wallMicros }) => wallMicros)),
    "µs",
    CALL_MICROS,
  );
}

interface Measured {
  /** Of one call. */
  readonly wallMicros: number;
  readonly cpuMicros: number;
}

async function callOften(tool: CatalogueTool): Promise<Measured> {
  const started = performance.now();
  const before = process.cpuUsage();
  for (let n = 0; n < CALLS; n++) {
    const parsed = await tool.parseInput({ n });
    if (parsed.kind === "invalid") throw new Error(parsed.message);
    const result = await tool.run(parsed.input, CONTEXT);
    const text = result instanceof JsonResult ? result.text : JSON.stringify(result);
    if (text !== `{"text":"note ${n}"}`) throw new Error(`It gave ${text}`);
  }
  const { user, system } = process.cpuUsage(before);
  return { wallMicros: ((performance.now() - started) * 1_000) / CALLS, cpuMicros: (user + system) / CALLS };
}

const CONTEXT: ToolContext = {
  signal: new AbortController().signal,
  idempotencyKey: "key",
  sessionKey: "bench",
  approvedBy: "terms",
  progress: () => undefined,
  log: () => undefined,
};

function toolOf(tree: ToolTree): CatalogueTool {
  const tool = createCatalogue([{ source: "bench", tree }]).get("notes.read");
  if (tool === undefined) throw new Error("It is not there");
  return tool;
}
