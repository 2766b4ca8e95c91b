import type { FoundInMemory, Hit, Memory, MemoryStatus } from "@deputy/memory";
import type { MemoryFound, MemoryReport } from "@deputy/protocol/wire";

/** What was found, as clients and programs get it. */
export function describeFound({ hits, by, reason, isStale }: FoundInMemory): MemoryFound {
  const missing = [
    ...(reason === undefined ? [] : [`Searched by words alone: ${reason}`]),
    ...(isStale ? ["Some documents could not be looked at; what is known of them may be old."] : []),
  ];
  const note = missing.length === 0 ? {} : { note: missing.join(" ") };
  return { hits: hits.map(describeHit), by, stale: isStale, ...note };
}

function describeHit({ chunk, score, why }: Hit): MemoryFound["hits"][number] {
  const { document, firstLine, lastLine, header, text, foreign } = chunk;
  return {
    source: document.kind,
    path: document.path,
    lines: firstLine === lastLine ? String(firstLine) : `${firstLine}-${lastLine}`,
    about: header,
    text,
    score: Math.round(score * 10_000) / 10_000,
    why: describeWhy(why),
    foreign: [...foreign],
  };
}

function describeWhy({ words, meaning }: Hit["why"]): string {
  const reasons = [
    ...(words.length === 0 ? [] : [`has ${words.join(", ")}`]),
    ...(meaning === undefined ? [] : [`meaning ${meaning.toFixed(2)}`]),
  ];
  return reasons.join("; ");
}

export function describeStatus(status: MemoryStatus): MemoryReport {
  const { documents, chunks, embedded, children, model, problems, embedderProblem } = status;
  const ofModel = embedderProblem === undefined ? [] : [{ path: model ?? "", message: embedderProblem }];
  return {
    documents: { ...documents },
    chunks,
    embedded,
    pieces: children,
    model: model ?? null,
    problems: [...problems.map(({ path, message }) => ({ path, message })), ...ofModel],
  };
}

/** What the gateway and the tools search through, over a memory that is opened at the first use. */
export function createMemoryDoor(deps: {
  readonly memory: () => Promise<Memory>;
  readonly defaultAgent: string;
  readonly maxResults: number;
}) {
  const { memory, defaultAgent, maxResults } = deps;
  return {
    async search(
      request: {
        readonly query: string;
        readonly agent?: string | undefined;
        readonly limit?: number | undefined;
      },
      signal: AbortSignal,
    ): Promise<MemoryFound> {
      const { query, agent: scope = defaultAgent, limit = maxResults } = request;
      return describeFound(await (await memory()).search(query, { scope, limit }, signal));
    },
    async status(signal: AbortSignal): Promise<MemoryReport> {
      return describeStatus(await (await memory()).status(signal));
    },
  };
}
export type MemoryDoor = ReturnType<typeof createMemoryDoor>;
