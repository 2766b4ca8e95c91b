import type { MemoryDoor as GatewayDoor } from "@deputy/gateway";
import { type IdSource, throwIfAborted } from "@deputy/kit";
import type {
  Change,
  ForgetReport,
  FoundInMemory,
  Hit,
  IndexProgress,
  IndexReport,
  KnownDocument,
  Memory,
  MemoryStatus,
} from "@deputy/memory";
import { type EventLog, readEvent } from "@deputy/protocol";
import type {
  MemoryChanges,
  MemoryDocuments,
  MemoryFound,
  MemoryIndexed,
  MemoryRecalledTurns,
  MemoryReport,
} from "@deputy/protocol/wire";
import type { HomeMemory } from "./home-memory.ts";

/** What was found, as clients and programs get it. */
export function describeFound(found: FoundInMemory): MemoryFound {
  const { hits, by, reason, rebuilding, isStale, problems } = found;
  const missing = [
    ...(reason === undefined ? [] : [`Searched by words alone: ${reason}`]),
    ...(rebuilding === undefined ? [] : [`The index is being made again: ${rebuilding}`]),
    ...(isStale && rebuilding === undefined
      ? ["Some documents could not be looked at; what is known of them may be old."]
      : []),
    // What was not found may be in there; whoever found something need not be told each time.
    ...(hits.length === 0 && problems.length > 0 ? [describeUnread(problems)] : []),
  ];
  const note = missing.length === 0 ? {} : { note: missing.join(" ") };
  return { hits: hits.map(describeHit), by, stale: isStale, ...note };
}

function describeUnread(problems: FoundInMemory["problems"]): string {
  const named = problems.slice(0, 3).map(({ path }) => path);
  const more = problems.length > named.length ? ` and ${problems.length - named.length} more` : "";
  return `Nothing was found, but not everything could be read: ${named.join(", ")}${more}. \`deputy memory status\` says why.`;
}

export function describeHit({ chunk, score, why }: Hit): MemoryFound["hits"][number] {
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

function describeStatus(status: MemoryStatus): MemoryReport {
  const { documents, chunks, embedded, children, model, formerModel, problems, embedderProblem, reading } =
    status;
  const ofModel = embedderProblem === undefined ? [] : [{ path: model ?? "", message: embedderProblem }];
  return {
    documents: { ...documents },
    chunks,
    embedded,
    pieces: children,
    model: model ?? null,
    formerModel: formerModel ?? null,
    stale: formerModel !== undefined,
    problems: [...problems.map(({ path, message }) => ({ path, message })), ...ofModel],
    ...(reading !== undefined && { reading: { done: reading.done, total: reading.total } }),
  };
}

function describeIndexed(report: IndexReport): MemoryIndexed {
  const { documents, indexed, removed, embedded, problems, embedderProblem } = report;
  return {
    documents,
    indexed,
    removed,
    embedded,
    problems: problems.map(({ path, message }) => ({ path, message })),
    ...(embedderProblem !== undefined && { failure: embedderProblem }),
  };
}

/** What was forgotten, or would be, in words; without the words themselves. */
export function describeForget(
  { removed, files: whole, kept }: ForgetReport,
  tense: "would" | "did",
): readonly string[] {
  const { lines, files, events, recalled, attachments = 0, conversations, pieces } = removed;
  const counts = [
    count(lines, "line of notes", "lines of notes"),
    count(files, "whole file", "whole files"),
    count(events, "event", "events"),
    count(recalled, "of them recalled text", "of them recalled texts"),
    count(attachments, "attached file", "attached files"),
    count(pieces, "piece of the index", "pieces of the index"),
  ].filter((text) => text !== "");
  const where = conversations === 0 ? "" : `, in ${count(conversations, "conversation", "conversations")}`;
  const verb = tense === "did" ? "Removed" : "Would remove";
  const said = counts.length === 0 ? "nothing" : `${counts.join(", ")}${where}`;
  return [
    `${verb}: ${said}.`,
    // Once they are gone, nothing should name them again.
    ...(tense === "would" ? whole.map((path) => `As a whole: ${path}.`) : []),
    ...kept.map(({ what, why, count: times }) => `Stays: ${what}${times > 1 ? ` (${times})` : ""}. ${why}.`),
  ];
}

function count(number: number, one: string, several: string): string {
  return number === 0 ? "" : `${number} ${number === 1 ? one : several}`;
}

function describeDocument({
  kind,
  path,
  date,
  isStale,
  foreign,
}: KnownDocument): MemoryDocuments["documents"][number] {
  return {
    source: kind,
    path,
    ...(date === undefined ? {} : { date }),
    stale: isStale,
    ...(foreign === undefined ? {} : { foreign: [...foreign] }),
  };
}

function describeChange(change: Change): MemoryChanges["changes"][number] {
  const { changeId, path, at, by, toldBy, edit, outcome, undoneBy, session } = change;
  return {
    changeId,
    path,
    at,
    by,
    toldBy,
    edit,
    outcome,
    ...(undoneBy === undefined ? {} : { undoneBy }),
    ...(session === undefined ? {} : { session }),
  };
}

/** What clients and commands read of the memory. All reject as it does. */
export interface MemoryReading extends Pick<GatewayDoor, "search" | "status" | "list" | "show"> {
  index(signal: AbortSignal, onProgress?: (progress: IndexProgress) => void): Promise<MemoryIndexed>;
}

export function createMemoryReading(deps: {
  readonly index: () => Promise<Memory>;
  readonly defaultAgent: string;
  readonly maxResults: number;
}): MemoryReading {
  const { index, defaultAgent, maxResults } = deps;
  return {
    async search({ query, agent: scope = defaultAgent, limit = maxResults }, signal) {
      return describeFound(await (await index()).search(query, { scope, limit }, signal));
    },
    async status(signal) {
      return describeStatus(await (await index()).status(signal));
    },
    async index(signal, onProgress = () => undefined) {
      return describeIndexed(await (await index()).index({ onProgress }, signal));
    },
    async list({ agent = defaultAgent }, signal) {
      const documents = await (await index()).list(agent, signal);
      return {
        documents: documents.map(describeDocument),
      };
    },
    async show({ path, agent = defaultAgent }, signal) {
      const chunks = await (await index()).show(path, agent, signal);
      return {
        pieces: chunks.map(({ firstLine, lastLine, header, text: piece, foreign }) => ({
          lines: firstLine === lastLine ? String(firstLine) : `${firstLine}-${lastLine}`,
          about: header,
          text: piece,
          foreign: [...foreign],
        })),
      };
    },
  };
}

/** What clients see of the memory, and do with it. The index is opened at the first use. */
export function createMemoryDoor(deps: {
  readonly memory: Pick<HomeMemory, "index" | "files" | "notes" | "forgetting">;
  readonly log: Pick<EventLog, "read">;
  readonly ids: IdSource;
  readonly defaultAgent: string;
  readonly maxResults: number;
}): GatewayDoor {
  const { defaultAgent, maxResults, log, ids } = deps;
  const { index, files, notes, forgetting } = deps.memory;
  const reading = createMemoryReading({ index, defaultAgent, maxResults });
  return {
    ...reading,
    async show({ path, agent = defaultAgent }, signal) {
      const shown = await reading.show({ path, agent }, signal);
      const text = path.startsWith(`${agent}/`) ? await files.read(path) : null;
      return { ...shown, ...(text === null ? {} : { text }) };
    },
    async edit({ path, before, text, agent = defaultAgent }, by, signal) {
      const change = { changeId: ids.next("event"), agentId: agent, by, toldBy: [] };
      await notes.write({ path, before, after: text === "" ? null : text }, change, signal);
      return { changeId: change.changeId };
    },
    async recalled({ session }, signal) {
      const turns: MemoryRecalledTurns["turns"] = [];
      for await (const stored of log.read(session)) {
        throwIfAborted(signal);
        const read = readEvent(stored);
        if (read.kind !== "known" || read.event.type !== "memory.recalled") continue;
        const { at, turnId, data } = read.event;
        turns.push({ at, ...(turnId === undefined ? {} : { turnId }), ...data });
      }
      return { turns };
    },
    async changes({ limit = 50 }) {
      return { changes: (await notes.changes(limit)).map(describeChange) };
    },
    async undo({ changeId }, by, signal) {
      return { outcome: await notes.undo(changeId, { changeId: ids.next("event"), by }, signal) };
    },
    async forget({ agent, dryRun = false, ...wish }, by, signal) {
      const request = { wish, by, ...(agent === undefined ? {} : { agentId: agent }) };
      const report = dryRun
        ? await forgetting.preview(request, signal)
        : await forgetting.forget({ ...request, forgetId: ids.next("event") }, signal);
      const { removed, kept, shown } = report;
      return {
        removed,
        files: [...report.files],
        kept: [...kept],
        ...(dryRun && shown !== undefined && { shown: [...shown] }),
      };
    },
  };
}
export type MemoryDoor = GatewayDoor;
