import { createSystemClock, makeVisible, showText } from "@deputy/kit";
import { type Memory, MemoryError } from "@deputy/memory";
import { openSqliteReader, StoreError } from "@deputy/store/sqlite";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { openAgents } from "../agents/open-agents.ts";
import { AppError } from "../app-error.ts";
import { openHomeEmbedders } from "../embedders/home-embedders.ts";
import { openHome } from "../home.ts";
import type { Invocation } from "../invocation.ts";
import { describeFound, describeStatus } from "../memory/describe-memory.ts";
import { openMemory } from "../memory/open-memory.ts";

interface OfAgent {
  readonly agent?: string;
}

/** Works beside a running daemon: both keep the same index. */
async function withMemory(
  invocation: Invocation,
  work: (
    memory: Memory,
    settings: { readonly defaultAgent: string; readonly maxResults: number },
  ) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { env, warn, onBug } = invocation;
  const home = openHome(invocation.homeDirectory, warn);
  const { enabled, search } = home.config.memory;
  if (!enabled)
    throw new AppError("not_available", "Memory is switched off", {
      hint: "`deputy config set memory.enabled true` switches it on.",
    });
  const agents = openAgents(home, process.cwd());
  await using log = openReader(home.directory);
  const clock = createSystemClock();
  await using embedders = openHomeEmbedders({ home, env, clock, learn: () => undefined });
  await using memory = await openMemory({
    home,
    agentsDirectory: agents.directory,
    embedders,
    log,
    clock,
    follow: "nothing",
    warn,
    onBug,
  });
  return await work(memory, { defaultAgent: agents.settings.defaultAgent, maxResults: search.maxResults });
}

/** Undefined if nothing was ever said. */
function openReader(directory: string): ReturnType<typeof openSqliteReader> | undefined {
  try {
    return openSqliteReader({ directory });
  } catch (error) {
    if (error instanceof StoreError && error.code === "no_database") return undefined;
    throw error;
  }
}

/** `deputy memory status` */
export async function showMemoryStatus(invocation: Invocation): Promise<ExitCode> {
  const { output, signal } = invocation;
  return await withMemory(invocation, async (memory) => {
    const status = describeStatus(await memory.status(signal));
    const kinds = Object.entries(status.documents).map(([kind, count]) => `${count} ${KINDS[kind] ?? kind}`);
    output.result(`Documents: ${kinds.join(", ")}`);
    output.result(`Pieces: ${status.chunks}`);
    output.result(
      status.model === null
        ? "Searched by words alone: memory.embeddingModel is none."
        : `Searched by words, and by meaning with ${makeVisible(status.model)}: ${status.embedded} of ${status.pieces} indexed`,
    );
    if (status.formerModel !== null)
      output.result(
        `The index is being made again; until then ${makeVisible(status.formerModel)} answers, and hits are marked stale.`,
      );
    for (const { path, message } of status.problems)
      output.result(`! ${makeVisible(path)}: ${makeVisible(message)}`);
    output.object({ type: "memory", ...status });
    return EXIT.done;
  });
}

const KINDS: Readonly<Record<string, string>> = {
  memory: "MEMORY.md",
  notes: "notes",
  daily: "daily notes",
  extra: "further files",
  session: "conversations",
};

/** So long a search waits for the meaning of what is new: no process goes on with it afterwards. */
const MEANING_PATIENCE_MS = 20_000;

/** What was read in time is kept for the next search. Says how many pieces have no vector then. */
async function indexForAWhile(
  memory: Memory,
  { announce, signal }: Pick<Invocation, "announce" | "signal">,
): Promise<number> {
  const missing = async (): Promise<number> => {
    const { model, embedded, children, embedderProblem } = await memory.status(signal);
    return model === undefined || embedderProblem !== undefined ? 0 : children - embedded;
  };
  const before = await missing();
  if (before === 0) return 0;
  announce(`The meaning of ${before} new ${before === 1 ? "piece" : "pieces"} is being indexed…`);
  const patience = new AbortController();
  const late = createSystemClock().sleep(MEANING_PATIENCE_MS, AbortSignal.any([signal, patience.signal]));
  // If the model fails, the search says so.
  await Promise.race([memory.index({}, signal), late]).catch(() => signal.throwIfAborted());
  patience.abort();
  await late.catch(() => undefined);
  return await missing();
}

/** `deputy memory search WORDS` */
export async function searchMemory(
  invocation: Invocation,
  words: readonly string[],
  options: OfAgent & { readonly limit?: number },
): Promise<ExitCode> {
  const { output, signal, announce } = invocation;
  return await withMemory(invocation, async (memory, { defaultAgent, maxResults }) => {
    const { agent: scope = defaultAgent, limit = maxResults } = options;
    const left = await indexForAWhile(memory, invocation);
    const found = describeFound(await memory.search(words.join(" "), { scope, limit }, signal));
    for (const hit of found.hits) {
      output.result(
        `${hit.score.toFixed(3)}  ${makeVisible(hit.path)}:${hit.lines}  (${makeVisible(hit.why)})`,
      );
      output.result(indent(hit.text));
      output.object({ ...hit, ...(found.stale && { stale: true }) });
    }
    if (found.hits.length === 0) output.note("Nothing was found.");
    if (found.note !== undefined) announce(makeVisible(found.note));
    if (left > 0) announce("`deputy memory index` indexes the rest.");
    return EXIT.done;
  });
}

/** `deputy memory show PATH`: what is known of a document, piece by piece. */
export async function showMemory(invocation: Invocation, path: string, options: OfAgent): Promise<ExitCode> {
  const { output, signal } = invocation;
  return await withMemory(invocation, async (memory, { defaultAgent }) => {
    const scope = options.agent ?? defaultAgent;
    const chunks = await memory.show(await wholePath(memory, path, scope, signal), scope, signal);
    if (chunks.length === 0)
      throw new AppError("not_found", `Nothing is remembered of “${makeVisible(path)}”`, {
        hint: "`deputy memory search` shows the paths.",
      });
    for (const { header, text, firstLine, lastLine, foreign, document } of chunks) {
      output.result(makeVisible(header));
      output.result(indent(text));
      if (foreign.length > 0) output.result(`  Partly from: ${makeVisible(foreign.join("; "))}`);
      const lines = `${firstLine}-${lastLine}`;
      output.object({ path: document.path, source: document.kind, lines, about: header, text, foreign });
    }
    return EXIT.done;
  });
}

/** The end of a path is enough, if only one document has it. */
async function wholePath(memory: Memory, path: string, scope: string, signal: AbortSignal): Promise<string> {
  const paths = new Set((await memory.list(scope, signal)).map((document) => document.path));
  const ending = [...paths].filter((one) => one.endsWith(`/${path}`));
  return paths.has(path) ? path : ((ending.length === 1 ? ending[0] : undefined) ?? path);
}

/** `deputy memory index`: brings the index up to date, vectors included. */
export async function indexMemory(invocation: Invocation): Promise<ExitCode> {
  const { output, signal, announce, warn } = invocation;
  return await withMemory(invocation, async (memory) => {
    let said = "";
    const onProgress = ({ step, done, total }: { step: string; done: number; total: number }): void => {
      const percent = total === 0 ? 100 : Math.floor((10 * done) / total) * 10;
      const line = `${step === "reading" ? "Reading" : "Meaning"}: ${percent} %`;
      if (line !== said) announce(line);
      said = line;
    };
    try {
      const report = await memory.index({ onProgress }, signal);
      for (const { path, message } of report.problems) warn(`${path}: ${message}`);
      output.result(
        `${report.documents} documents: ${report.indexed} read again, ${report.removed} removed.`,
      );
      const { documents, indexed, removed, embedded } = report;
      output.object({ type: "indexed", documents, indexed, removed, embedded });
      return EXIT.done;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof MemoryError) throw error;
      warn(`Meaning is not indexed: ${error instanceof Error ? error.message : String(error)}`);
      return EXIT.failed;
    }
  });
}

function indent(text: string): string {
  return showText(text)
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
}
