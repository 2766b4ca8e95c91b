import { createSystemClock, makeVisible, showText } from "@deputy/kit";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { AppError } from "../../app-error.ts";
import type { Invocation } from "../../invocation.ts";
import type { MemoryReading } from "../../memory/describe-memory.ts";
import { openMemoryReading } from "../../memory/open-memory-reading.ts";

interface OfAgent {
  readonly agent?: string;
}

/** `deputy memory status` */
export async function showMemoryStatus(invocation: Invocation): Promise<ExitCode> {
  const { output, signal } = invocation;
  await using memory = await openMemoryReading(invocation);
  const status = await memory.status(signal);
  const kinds = Object.entries(status.documents).map(([kind, count]) => `${count} ${KINDS[kind] ?? kind}`);
  output.result(`Documents: ${kinds.join(", ")}`);
  output.result(`Pieces: ${status.chunks}`);
  if (status.reading !== undefined)
    output.result(`Being read: ${status.reading.done} of ${status.reading.total} new or changed documents`);
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
}

const KINDS: Readonly<Record<string, string>> = {
  memory: "MEMORY.md",
  notes: "notes",
  daily: "daily notes",
  extra: "further files",
  session: "conversations",
};

/** So long a search waits for the meaning of what is new. */
const MEANING_PATIENCE_MS = 20_000;

/** What was read in time is kept for the next search. Says how many pieces have no vector then. */
async function indexForAWhile(
  memory: MemoryReading,
  { announce, signal }: Pick<Invocation, "announce" | "signal">,
): Promise<number> {
  const missing = async (): Promise<number> => {
    const { model, embedded, pieces, problems } = await memory.status(signal);
    const isFailing = problems.some(({ path }) => path === model);
    return model === null || isFailing ? 0 : pieces - embedded;
  };
  const before = await missing();
  if (before === 0) return 0;
  announce(`The meaning of ${before} new ${before === 1 ? "piece" : "pieces"} is being indexed…`);
  const patience = new AbortController();
  const late = createSystemClock().sleep(MEANING_PATIENCE_MS, AbortSignal.any([signal, patience.signal]));
  const leaving = AbortSignal.any([signal, patience.signal]);
  // If the model fails, the search says so.
  await Promise.race([memory.index(leaving), late]).catch(() => signal.throwIfAborted());
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
  await using memory = await openMemoryReading(invocation);
  const left = await indexForAWhile(memory, invocation);
  const found = await memory.search({ ...options, query: words.join(" ") }, signal);
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
}

/** `deputy memory show PATH`: what is known of a document, piece by piece. */
export async function showMemory(invocation: Invocation, name: string, options: OfAgent): Promise<ExitCode> {
  const { output, signal } = invocation;
  await using memory = await openMemoryReading(invocation);
  const document = await findDocument(memory, name, options, signal);
  const path = document?.path ?? name;
  const { pieces } =
    document === undefined ? { pieces: [] } : await memory.show({ ...options, path }, signal);
  if (pieces.length === 0)
    throw new AppError("not_found", `Nothing is remembered of “${makeVisible(name)}”`, {
      hint: "`deputy memory search` shows the paths.",
    });
  for (const { about, text, lines, foreign } of pieces) {
    output.result(makeVisible(about));
    output.result(indent(text));
    if (foreign.length > 0) output.result(`  Partly from: ${makeVisible(foreign.join("; "))}`);
    output.object({ path, source: document?.source, lines, about, text, foreign });
  }
  return EXIT.done;
}

/** The end of a path is enough, if only one document has it. */
async function findDocument(
  memory: MemoryReading,
  name: string,
  options: OfAgent,
  signal: AbortSignal,
): Promise<Awaited<ReturnType<MemoryReading["list"]>>["documents"][number] | undefined> {
  const { documents } = await memory.list(options, signal);
  const ending = documents.filter(({ path }) => path.endsWith(`/${name}`));
  const isOne = new Set(ending.map(({ path }) => path)).size === 1;
  return documents.find(({ path }) => path === name) ?? (isOne ? ending[0] : undefined);
}

/** `deputy memory index`: brings the index up to date, vectors included. */
export async function indexMemory(invocation: Invocation): Promise<ExitCode> {
  const { output, signal, announce, warn } = invocation;
  await using memory = await openMemoryReading(invocation);
  let said = "";
  const report = await memory.index(signal, ({ step, done, total }) => {
    const percent = total === 0 ? 100 : Math.floor((10 * done) / total) * 10;
    const line = `${step === "reading" ? "Reading" : "Meaning"}: ${percent} %`;
    if (line !== said) announce(line);
    said = line;
  });
  const { documents, indexed, removed, embedded, failure } = report;
  for (const { path, message } of report.problems) warn(`${path}: ${message}`);
  output.result(`${documents} documents: ${indexed} read again, ${removed} removed.`);
  output.object({ type: "indexed", documents, indexed, removed, embedded });
  if (failure === undefined) return EXIT.done;
  warn(`Meaning is not indexed: ${failure}`);
  return EXIT.failed;
}

function indent(text: string): string {
  return showText(text)
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
}
