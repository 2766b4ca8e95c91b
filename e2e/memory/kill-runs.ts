import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json, text } from "node:stream/consumers";
import { scanHome } from "../../apps/deputy/src/memory/scan-home.fixture.ts";
import { createChoices } from "../load/random.ts";
import { compiled, SHORT_LIVED, testProgram } from "../repository.ts";
import type { Looked } from "./child.ts";
import { killAtWrite, type KillPoint } from "./kill-at-write.ts";

const CHILD = testProgram("memory-child", "e2e/memory/child.ts");
const FILES = 12;
/** How many writes there are differs from run to run; this share of them is there each time. */
const MOST_CERTAIN = 0.9;
/** What is noted, and what is forgotten: it is in three of the notes. */
const NOTED = "the ferry leaves at nine";
const FORGOTTEN = "Zq8vKw3quill";

export const actions = ["index", "note", "forget"] as const;
export type Action = (typeof actions)[number];

export interface MemoryKills {
  readonly kills: number;
  /** What is wrong, in words; empty when everything holds. */
  readonly faults: readonly string[];
}

/**
 * Indexes, notes and forgets in processes that are killed before a write, which the seed chooses; then looks at what the
 * next process makes of it. The same seed repeats the same writes.
 */
export async function killMemory(options: {
  readonly action: Action;
  readonly runs: number;
  readonly seed: number;
  readonly onProgress?: (done: number) => void;
}): Promise<MemoryKills> {
  const { action, runs, seed } = options;
  const scratch = mkdtempSync(join(tmpdir(), "deputy-memory-kills-"));
  await using embeddings = await serveEmbeddings();
  try {
    const first = makeHome(join(scratch, "first"), embeddings.url);
    if (action !== "index") await run(first, ["index"]);
    const copy = (name: string): string => {
      cpSync(first, join(scratch, name), { recursive: true });
      return join(scratch, name);
    };
    const argument = action === "note" ? [NOTED] : action === "forget" ? [FORGOTTEN] : [];
    const writes = { main: 0, index: 0 };
    const clean = await run(copy("clean"), [action, ...argument], { thread: "main", at: undefined });
    for (const [, thread, count] of clean.stderr.matchAll(/^writes (main|index) (\d+)$/gm))
      writes[thread as KillPoint["thread"]] += Number(count);
    const choices = createChoices(seed);
    const faults: string[] = [];
    let kills = 0;
    for (let done = 0; done < runs; done++) {
      const thread = choices.pick(["main", "index"] as const);
      const point = { thread, at: choices.below(Math.max(1, Math.floor(writes[thread] * MOST_CERTAIN))) };
      const home = copy(`run-${done}`);
      const killed = await run(home, [action, ...argument], point);
      if (killed.signal === "SIGKILL") kills += 1;
      else if (killed.code !== 0) faults.push(`${action} ended with ${killed.code}: ${killed.stderr}`);
      const found = await judge(home, action);
      faults.push(
        ...found.map((fault) => `${action}, killed before write ${point.at} of ${thread}: ${fault}`),
      );
      rmSync(home, { recursive: true, force: true });
      options.onProgress?.(done + 1);
    }
    return { kills, faults };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function judge(home: string, action: Action): Promise<readonly string[]> {
  const faults: string[] = [];
  const looked = await lookAt(home);
  faults.push(...judgeIndex(looked));
  if (action === "note") {
    const lines = Object.values(looked.notes).join("\n").split(NOTED).length - 1;
    if (lines !== looked.written) faults.push(`${lines} lines for ${looked.written} changes in the log`);
    if (lines > 1) faults.push("it is noted twice");
  }
  if (action === "forget") {
    const isThere = Object.values(looked.notes).some((note) => note.includes(FORGOTTEN));
    const places = scanHome(home, FORGOTTEN);
    // Either nothing was begun, or all of it is done.
    if (!isThere && places.length > 0) faults.push(`half forgotten: ${places.join(", ")}`);
    await run(home, ["forget", FORGOTTEN]);
    const left = scanHome(home, FORGOTTEN);
    if (left.length > 0) faults.push(`came back: ${left.join(", ")}`);
    faults.push(...judgeIndex(await lookAt(home)));
  }
  return faults;
}

/** Every line of every note is in exactly one piece of its document, and nothing else is. */
function judgeIndex({ pieces, notes, open, damage }: Looked): readonly string[] {
  const faults: string[] = [];
  if (open > 0) faults.push(`${open} changes are still open`);
  if (damage.length > 0) faults.push(`the log is damaged: ${JSON.stringify(damage)}`);
  for (const [name, note] of Object.entries(notes)) {
    const own = pieces[`main/memory/${name}`] ?? [];
    for (const line of note.split("\n").filter((each) => each.trim() !== "")) {
      const plain = line.replaceAll(/<!--[^]*?-->/g, "").trim();
      const count = own.filter((piece) => piece.includes(plain)).length;
      if (count !== 1) faults.push(`${name}: “${plain}” is in ${count} pieces`);
    }
  }
  const known = new Set(Object.keys(notes).map((name) => `main/memory/${name}`));
  for (const path of Object.keys(pieces))
    if (path.startsWith("main/memory/") && !known.has(path)) faults.push(`${path} is not there any more`);
  return faults;
}

async function lookAt(home: string): Promise<Looked> {
  const { code, stdout, stderr } = await run(home, ["look"]);
  if (code !== 0) throw new Error(`Looking ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as Looked;
}

function makeHome(home: string, embeddings: string): string {
  mkdirSync(join(home, "agents/main/memory"), { recursive: true });
  const settings = {
    memory: { embeddingModel: "local/test", search: { chunkTokens: 100, chunkOverlap: 0 } },
    providers: { local: { baseUrl: embeddings } },
  };
  writeFileSync(join(home, "config.json"), JSON.stringify(settings), { mode: 0o600 });
  for (let file = 0; file < FILES; file++) {
    const lines = Array.from(
      { length: 20 },
      (_, line) => `Line ${line} of file ${file} about w${file}x${line}z`,
    );
    if (file % 4 === 0) lines.push(`Meet ${FORGOTTEN} on day ${file}`);
    writeFileSync(join(home, `agents/main/memory/${file}.md`), `${lines.join("\n")}\n`);
  }
  return home;
}

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(home: string, args: readonly string[], kill?: KillPoint): Promise<Ended> {
  const hook = kill === undefined ? [] : ["--import", killAtWrite(kill)];
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, [...SHORT_LIVED, ...hook, CHILD, home, ...args], {
    env: { PATH, HOME, ...compiled() },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<Pick<Ended, "code" | "signal">>((resolve) =>
    child.once("exit", (code, signal) => resolve({ code, signal })),
  );
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { ...(await ended), stdout, stderr };
}

/** Vectors by the length of each text, as a service of embeddings gives them. */
async function serveEmbeddings(): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const { input } = body as { readonly input: string | readonly string[] };
      const data = [input].flat().map((each, index) => ({
        object: "embedding",
        index,
        embedding: [Math.cos(each.length), Math.sin(each.length), 0.5, 0.25],
      }));
      response.setHeader("content-type", "application/json");
      response.end(
        JSON.stringify({ object: "list", data, model: "test", usage: { prompt_tokens: 1, total_tokens: 1 } }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
