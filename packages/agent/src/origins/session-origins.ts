import { createSlices } from "@deputy/kit";
import type { Origins } from "@deputy/policy";
import {
  type CanonicalEvent,
  type EventData,
  type EventLog,
  readEvent,
  type ResultTrust,
  type StreamId,
} from "@deputy/protocol";
import type { Catalogue } from "@deputy/tools";
import { readCellJournal } from "../cell/cell-journal.ts";
import { localDay } from "@deputy/protocol/schedule";
import type { CallError, Receipt } from "../gate/receipt.ts";
import type { Part } from "../ingress/labelled-text.ts";
import { othersIn } from "../history/describe-cell.ts";
import { messageText } from "../ingress/message-text.ts";
import { createToldQueue, type Told, type ToldQueue } from "./told-queue.ts";

/** The origins of everything that a session's programs, and so its model, have seen. */
export interface SessionOrigins {
  /** Complete up to the last `ready`. Which sources are untrusted is known at once. */
  readonly origins: Origins;
  /** Adds the result of a call, as soon as the program may see it. */
  note(receipt: Receipt): void;
  /** Resolves once everything noted so far can be asked about. To be waited for before a value is traced. */
  ready(): Promise<void>;
  /** True when so much has been noted that the next call should wait for `ready`, whatever the call does. */
  isFull(): boolean;
}

export interface SessionOriginsReader {
  /**
   * Reads the log up to now: messages, the user's own programs, what they said with a no, and the results of calls, in
   * full from the journal. A result that is lost from the journal counts as untrusted, with the text that the event
   * kept of it. `shown`: what the model's prompt has besides, see `standingParts`.
   */
  of(stream: StreamId, catalogue: Pick<Catalogue, "get">, shown: readonly Part[]): Promise<SessionOrigins>;
}

/** Sessions whose index is kept, and how much of them together; others are read again. */
const KEPT_SESSIONS = 16;
const KEPT_CHARS = 64 * 1024 * 1024;

/** The name that the question shows. */
const CLIENTS_PROGRAM = "the program, which a client's model wrote";

/** The types of events that carry text. Events of other types are not even read. */
const HEARD: ReadonlySet<string> = new Set([
  "session.imported",
  "user.message",
  "cell.submitted",
  "cell.checked",
  "cell.completed",
  "session.compacted",
  "memory.recalled",
  "turn.facts",
  "call.settled",
]);

/** Of these, others' words are heard as the prompt has them. */
const RETOLD: ReadonlySet<string> = new Set([
  "cell.checked",
  "cell.completed",
  "memory.recalled",
  "turn.facts",
]);

/** The result of a call together with its input: a result that merely repeats the input proves nothing. */
interface Given {
  readonly json: string;
  readonly input: unknown;
}

interface Kept {
  readonly told: ToldQueue;
  readonly noted: Set<string>;
  /** Texts of prompts that were heard. */
  readonly shown: Set<string>;
  after: number;
  /** A second reader waits for the one that is already reading. */
  reading: Promise<void>;
}

export function createSessionOrigins(log: Pick<EventLog, "read" | "journal">): SessionOriginsReader {
  const kept = new Map<StreamId, Kept>();
  const journal = createLastCell(log);

  const take = (stream: StreamId): Kept => {
    const session = kept.get(stream) ?? {
      told: createToldQueue(),
      noted: new Set<string>(),
      shown: new Set<string>(),
      after: 0,
      reading: Promise.resolve(),
    };
    kept.delete(stream);
    kept.set(stream, session);
    let chars = [...kept.values()].reduce((sum, { told }) => sum + told.chars, 0);
    for (const [oldest, { told }] of kept) {
      if (oldest === stream || (kept.size <= KEPT_SESSIONS && chars <= KEPT_CHARS)) break;
      kept.delete(oldest);
      chars -= told.chars;
    }
    return session;
  };

  const hear = async (
    session: Kept,
    event: CanonicalEvent,
    catalogue: Pick<Catalogue, "get">,
  ): Promise<void> => {
    const { told, noted } = session;
    // Checks quote the types of tools, logs have lines of theirs, and notes may have been told by anybody.
    if (RETOLD.has(event.type)) for (const part of othersIn(event)) hearPart(told, part);
    // Whoever wrote the file could write anything into it.
    if (event.type === "session.imported") told.add({ kind: "imported" });
    if (event.type === "user.message") for (const words of wordsOfMessage(event)) told.add(words);
    // A program that the user wrote is the user's own text; one that a model wrote is not. What a client's model has
    // read is not known here.
    if (event.type === "cell.submitted" && event.data.providerCallId === undefined) {
      const { code, writtenBy } = event.data;
      told.add(
        writtenBy === "model" ? untrustedText(CLIENTS_PROGRAM, code) : { kind: "program", text: code },
      );
    }
    if (event.type === "session.compacted")
      for (const { trust, source } of event.data.labels ?? [])
        if (trust === "untrusted") told.add(untrustedText(source, event.data.summary));
    if (event.type !== "call.settled" || noted.has(event.data.callId)) return;
    noted.add(event.data.callId);
    const { cellId, callId } = event.data;
    hearNo(told, event.data.toolPath, event.data.error, () => journal.find(cellId, callId));
    // Text of Deputy itself about a call has no label.
    if (event.data.labels.length > 0) told.add(await resultOf(event.data, catalogue));
  };

  /**
   * A result stays in the journal until it is needed. Only its trust, and whether it has words, are looked up now.
   */
  const resultOf = async (
    settled: EventData<"call.settled">,
    catalogue: Pick<Catalogue, "get">,
  ): Promise<Told> => {
    const { cellId, callId, toolPath, labels, preview } = settled;
    const trust = trustThen(settled, catalogue);
    const load = async () => {
      const whole = await journal.find(cellId, callId);
      return whole === undefined
        ? { result: shownOf(settled), trust: "untrusted" as const }
        : { result: parse(whole.json), input: whole.input, chars: whole.json.length };
    };
    const common = {
      kind: "result",
      source: labels[0]?.source ?? toolPath,
      toolPath,
      heldChars: 0,
      load,
    } as const;
    // When the result is lost, only the event's own text is left. It has words, and it is not trusted.
    if (trust !== "trusted" && (settled.error !== undefined || HAS_WORDS.test(preview ?? "")))
      return { ...common, trust, hasWords: true };
    const whole = await journal.find(cellId, callId);
    if (whole === undefined) return { ...common, trust: "untrusted", hasWords: true };
    return { ...common, trust, hasWords: HAS_WORDS.test(whole.json) };
  };

  const readOn = async (
    stream: StreamId,
    session: Kept,
    catalogue: Pick<Catalogue, "get">,
  ): Promise<void> => {
    const slices = createSlices();
    for await (const stored of log.read(stream, { after: session.after })) {
      const read = HEARD.has(stored.type) ? readEvent(stored) : undefined;
      if (read?.kind === "known") await hear(session, read.event, catalogue);
      session.after = stored.seq;
      if (slices.isOver()) await slices.next();
    }
  };

  return {
    async of(stream, catalogue, shown) {
      const session = take(stream);
      const { told, noted } = session;
      for (const part of shown) {
        const words = wordsOfPart(part);
        const key = words === undefined ? "" : JSON.stringify([part.by, part.text]);
        if (words === undefined || session.shown.has(key)) continue;
        session.shown.add(key);
        told.add(words);
      }
      const reading = session.reading.then(() => readOn(stream, session, catalogue));
      session.reading = reading.catch(() => undefined);
      await reading;
      return {
        origins: told.origins,
        ready: told.ready,
        isFull: told.isFull,
        note(receipt) {
          const { callId, toolPath, input, resultJson = "null", error } = receipt;
          if (noted.has(callId)) return;
          noted.add(callId);
          hearNo(told, toolPath, error, async () => ({ input }));
          if (!isFromTool(receipt)) return;
          const tool = catalogue.get(toolPath);
          told.add({
            kind: "result",
            source: receipt.source ?? toolPath,
            toolPath,
            trust: trustOf(receipt, tool?.trust),
            hasWords: error !== undefined || HAS_WORDS.test(resultJson),
            heldChars: resultJson.length,
            load: async () => ({
              result: error === undefined ? parse(resultJson) : wordsOf(error),
              input,
            }),
          });
        },
      };
    },
  };
}

/** In JSON: a string, a key or a number. */
const HAS_WORDS = /["\d]/;

/**
 * Reads results of calls from the journal. It keeps those of the last cell while there is room, because a cell's
 * calls follow each other.
 */
function createLastCell(log: Pick<EventLog, "journal">) {
  type CellId = NonNullable<EventData<"call.settled">["cellId"]>;
  type Results = ReadonlyMap<string, Given>;
  let last: { readonly cellId: CellId; readonly results: WeakRef<Results> } | undefined;
  const read = async (cellId: CellId): Promise<Results> => {
    try {
      const { settled } = await readCellJournal(log.journal.read(cellId));
      return new Map(
        settled.flatMap(({ callId, input, resultJson, error }) => {
          const json = error === undefined ? resultJson : JSON.stringify(wordsOf(error));
          return json === undefined ? [] : [[callId, { json, input }] as const];
        }),
      );
    } catch {
      // Without its journal, nothing of the cell is trusted.
      return new Map();
    }
  };
  return {
    async find(cellId: CellId | undefined, callId: string): Promise<Given | undefined> {
      if (cellId === undefined) return undefined;
      const known = last?.cellId === cellId ? last.results.deref()?.get(callId) : undefined;
      if (known !== undefined) return known;
      const results = await read(cellId);
      last = { cellId, results: new WeakRef(results) };
      return results.get(callId);
    },
  };
}

/**
 * What a message says, by the labels that it has in the prompt. Text that came with a message from elsewhere is not the
 * user's own.
 */
function wordsOfMessage({ at, data }: CanonicalEvent & { type: "user.message" }): readonly Told[] {
  return messageText(data).flatMap((part): readonly Told[] => {
    if (part.by.kind === "user") return [{ kind: "user", text: part.text, today: localDay(at) }];
    const told = wordsOfPart(part);
    return told?.kind === "result" ? [{ ...told, message: part.raw ?? part.text }] : [];
  });
}

/** What provenance has to know of a part of a prompt; undefined for what explains nothing and endangers nothing. */
function wordsOfPart({ by, text, raw = text }: Part): Exclude<Told, { kind: "imported" }> | undefined {
  switch (by.kind) {
    case "user":
    case "configuration":
      return { kind: by.kind, text };
    case "other":
      if (by.weight === "names") return { kind: "names", source: by.source, text: raw };
      return untrustedText(by.source, raw === text ? text : `${raw}\n${text}`);
    // Provenance knows what a derived text was made of; the others' words are nobody else's.
    default:
      return undefined;
  }
}

function hearPart(told: ToldQueue, part: Part): void {
  const words = wordsOfPart(part);
  if (words !== undefined) told.add(words);
}

/** The reason that the user gives with a no counts as the user's word. A no without a reason declines the call all the same. */
function hearNo(
  told: ToldQueue,
  toolPath: string,
  error: Pick<CallError, "declined"> | undefined,
  refused: (Told & { kind: "denial" })["refused"],
): void {
  if (error?.declined === undefined) return;
  told.add({ kind: "denial", text: error.declined.said ?? "", toolPath, refused });
}

function untrustedText(source: string, text: string): Told & { readonly kind: "result" } {
  return {
    kind: "result",
    source,
    trust: "untrusted",
    hasWords: true,
    heldChars: text.length,
    load: async () => ({ result: text }),
  };
}

/** The stricter of what the tool said of itself then and says now. */
function trustThen(
  { toolPath, status, labels }: EventData<"call.settled">,
  catalogue: Pick<Catalogue, "get">,
): ResultTrust {
  const trust = trustOf({ status }, catalogue.get(toolPath)?.trust);
  const wasUntrusted = labels.some((label) => label.trust === "untrusted");
  return trust === "trusted" && wasUntrusted ? "untrusted" : trust;
}

/** True when the tool itself wrote the text, false when Deputy wrote it about the call. */
export function isFromTool({ status, isToolError }: Pick<Receipt, "status" | "isToolError">): boolean {
  return status === "succeeded" || isToolError === true;
}

/**
 * An error repeats its input and the answers of others, so the trust that a tool declares does not cover its errors;
 * nor what a result quotes.
 */
export function trustOf(
  { status, isQuoting }: Pick<Receipt, "status" | "isQuoting">,
  declared: ResultTrust = "untrusted",
): ResultTrust {
  return status === "succeeded" && isQuoting === undefined ? declared : "untrusted";
}

function wordsOf({ message, bodyJson }: CallError): unknown {
  return bodyJson === undefined ? message : [message, parse(bodyJson)];
}

function shownOf({ preview, error }: EventData<"call.settled">): string {
  return error === undefined ? (preview ?? "") : `${error.message}\n${JSON.stringify(error.body ?? "")}`;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
