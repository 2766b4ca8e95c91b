import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type DeclaredTool, emitDeclarations } from "@deputy/codemode";
import { reportLimit, reportPeer } from "../report.ts";
import { catalogue } from "./catalogue.ts";
import { interleave, median, processCpuMs } from "./measure.ts";
import { loadPeer, peerLabel } from "./peers.ts";
import { sized } from "../sized.ts";

const SIZES = sized([50, 500, 2_000], [50]);
const ROUNDS = sized(5, 1);
/** For the largest. */
const LIMIT_MS = 150;
/** Close enough to any model's tokenizer to compare two similar texts. */
const CHARS_PER_TOKEN = 4;
const PEER = "@cloudflare/codemode";

type Emitter = "ours" | "peer";
interface Emitted {
  readonly ms: number;
  readonly chars: number;
}

/** Declarations in fresh processes, which is the cost of a start; and their length. */
export async function benchDeclared(): Promise<void> {
  const hasPeer = (await loadPeer(PEER)) !== undefined;
  console.log(
    `Declarations, CPU of making them for the first time; tokens are characters / ${CHARS_PER_TOKEN}:`,
  );
  for (const size of SIZES) {
    const tokens = new Map<Emitter, number>();
    const measure = (emitter: Emitter) => async (): Promise<number> => {
      const { ms, chars } = emitInProcess(emitter, size);
      tokens.set(emitter, chars / CHARS_PER_TOKEN);
      return ms;
    };
    const rounds = await interleave<Emitter>(ROUNDS, [
      ["ours", measure("ours")],
      ...(hasPeer ? [["peer", measure("peer")] as const] : []),
    ]);
    const own = rounds.get("ours") ?? [];
    const what = `  ${size} tools`;
    reportLimit(`${what}, time`, median(own), "ms CPU", LIMIT_MS);
    if (!hasPeer) {
      console.log(`${what}, length: ${Math.round(tokens.get("ours") ?? 0)} tokens`);
      continue;
    }
    const name = peerLabel(PEER);
    reportPeer(`${what}, time`, "ms CPU", own, { name, rounds: rounds.get("peer") ?? [] });
    const lengthOf = (emitter: Emitter): readonly number[] => [tokens.get(emitter) ?? Number.NaN];
    reportPeer(`${what}, length`, "tokens", lengthOf("ours"), { name, rounds: lengthOf("peer") });
  }
}

function emitInProcess(emitter: Emitter, size: number): Emitted {
  const file = fileURLToPath(import.meta.url);
  return JSON.parse(execFileSync(process.execPath, [file, emitter, String(size)], { encoding: "utf8" }));
}

/** The used part of the peer, which has no types here. */
interface CloudflareCodemode {
  generateTypesFromJsonSchema(tools: Record<string, Omit<DeclaredTool, "path">>): string;
}

async function emitOnce(emitter: Emitter, tools: readonly DeclaredTool[]): Promise<Emitted> {
  const peer = emitter === "peer" ? ((await loadPeer(PEER)) as CloudflareCodemode) : undefined;
  const byPath = Object.fromEntries(tools.map(({ path, ...tool }) => [path, tool]));
  const before = processCpuMs();
  const text = peer === undefined ? emitDeclarations(tools) : peer.generateTypesFromJsonSchema(byPath);
  return { ms: processCpuMs() - before, chars: text.length };
}

if (import.meta.main) {
  const [emitter, size] = process.argv.slice(2);
  const emitted = await emitOnce(emitter === "peer" ? "peer" : "ours", catalogue(Number(size)));
  process.stdout.write(JSON.stringify(emitted));
}
