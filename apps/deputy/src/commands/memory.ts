import { createSystemClock, makeVisible, showText } from "@deputy/kit";
import { type Memory, MemoryError } from "@deputy/memory";
import { openSqliteReader, StoreError } from "@deputy/store/sqlite";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { openAgents } from "../agents/open-agents.ts";
import { AppError } from "../app-error.ts";
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
  await using memory = await openMemory({
    home,
    agentsDirectory: agents.directory,
    env,
    log,
    clock: createSystemClock(),
    follow: "nothing",
    learn: () => undefined,
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

/** `deputy memory search WORDS` */
export async function searchMemory(
  invocation: Invocation,
  words: readonly string[],
  options: OfAgent & { readonly limit?: number },
): Promise<ExitCode> {
  const { output, signal, announce } = invocation;
  return await withMemory(invocation, async (memory, { defaultAgent, maxResults }) => {
    const { agent: scope = defaultAgent, limit = maxResults } = options;
    const found = describeFound(await memory.search(words.join(" "), { scope, limit }, signal));
    for (const hit of found.hits) {
      output.result(
        `${hit.score.toFixed(3)}  ${makeVisible(hit.path)}:${hit.lines}  (${makeVisible(hit.why)})`,
      );
      output.result(indent(hit.text));
      output.object(hit);
    }
    if (found.hits.length === 0) output.note("Nothing was found.");
    if (found.note !== undefined) announce(makeVisible(found.note));
    return EXIT.done;
  });
}

/** `deputy memory show PATH`: what is known of a document, piece by piece. */
export async function showMemory(invocation: Invocation, path: string, options: OfAgent): Promise<ExitCode> {
  const { output, signal } = invocation;
  return await withMemory(invocation, async (memory, { defaultAgent }) => {
    const chunks = await memory.show(path, options.agent ?? defaultAgent, signal);
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
