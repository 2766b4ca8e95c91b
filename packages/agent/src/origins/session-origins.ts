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
import { localDay } from "../local-day.ts";
import type { CallError, Receipt } from "../gate/receipt.ts";
import { createToldQueue, type Told, type ToldQueue } from "./told-queue.ts";

/** Where everything came from that a session's programs, and so its model, have seen. */
export interface SessionOrigins {
  /** As far as `ready` has come; which sources are untrusted is known at once. */
  readonly origins: Origins;
  /** What a call gave, as soon as the program may see it. */
  note(receipt: Receipt): void;
  /** Resolves once everything noted so far can be asked about. To be waited for before a value is traced. */
  ready(): Promise<void>;
  /** True when so much has been noted that the next call should wait for `ready`, whatever it does. */
  isFull(): boolean;
}

export interface SessionOriginsReader {
  /**
   * As the log has it by now: the user's messages, their own programs, and what calls gave, whole from
   * the journal. What has lost its journal counts as untrusted, by what the event kept of it.
   */
  of(stream: StreamId, catalogue: Pick<Catalogue, "get">, instructions: string): Promise<SessionOrigins>;
}

/** Sessions whose index is kept, and how much of them together; others are read again. */
const KEPT_SESSIONS = 16;
const KEPT_CHARS = 64 * 1024 * 1024;

/** As the question names it. */
const CLIENTS_PROGRAM = "the program, which a client's model wrote";

/** What these say is heard; events of other types are not even read. */
const HEARD: ReadonlySet<string> = new Set([
  "session.imported",
  "user.message",
  "cell.submitted",
  "session.compacted",
  "call.settled",
]);

/** What a call gave, and for what: an echo of its own input vouches for nothing. */
interface Given {
  readonly json: string;
  readonly input: unknown;
}

interface Kept {
  readonly told: ToldQueue;
  readonly noted: Set<string>;
  readonly configurations: Set<string>;
  after: number;
  /** Who reads on waits for whoever does so already. */
  reading: Promise<void>;
}

export function createSessionOrigins(log: Pick<EventLog, "read" | "journal">): SessionOriginsReader {
  const kept = new Map<StreamId, Kept>();
  const journal = createLastCell(log);

  const take = (stream: StreamId): Kept => {
    const session = kept.get(stream) ?? {
      told: createToldQueue(),
      noted: new Set<string>(),
      configurations: new Set<string>(),
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
    { told, noted }: Kept,
    event: CanonicalEvent,
    catalogue: Pick<Catalogue, "get">,
  ): Promise<void> => {
    // Whoever wrote the file could write anything into it.
    if (event.type === "session.imported") told.add({ kind: "imported" });
    if (event.type === "user.message") told.add(wordsOfMessage(event));
    // A program of the user's own is their word; one that a model wrote is not. Of a client's model nobody
    // here knows what it has read.
    if (event.type === "cell.submitted" && event.data.providerCallId === undefined) {
      const { code, writtenBy } = event.data;
      told.add(writtenBy === "model" ? untrustedText(CLIENTS_PROGRAM, code) : { kind: "user", text: code });
    }
    if (event.type === "session.compacted")
      for (const { trust, source } of event.data.labels ?? [])
        if (trust === "untrusted") told.add(untrustedText(source, event.data.summary));
    if (event.type !== "call.settled" || noted.has(event.data.callId)) return;
    noted.add(event.data.callId);
    // What Deputy itself says of a call has no label.
    if (event.data.labels.length > 0) told.add(await resultOf(event.data, catalogue));
  };

  /** What a call gave stays in the journal until somebody asks. Only whether it is trusted, and has words, is looked up. */
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
    const common = { kind: "result", source: labels[0]?.source ?? toolPath, heldChars: 0, load } as const;
    // Of what is lost, the event's own text is all there is: that has words, and nobody vouches for it.
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
    async of(stream, catalogue, instructions) {
      const session = take(stream);
      const { told, noted, configurations } = session;
      if (instructions !== "" && !configurations.has(instructions)) {
        configurations.add(instructions);
        told.add({ kind: "configuration", text: instructions });
      }
      const reading = session.reading.then(() => readOn(stream, session, catalogue));
      session.reading = reading.catch(() => undefined);
      await reading;
      return {
        origins: told.origins,
        ready: told.ready,
        isFull: told.isFull,
        note(receipt) {
          const { callId, toolPath, status, input, resultJson = "null", error } = receipt;
          if (noted.has(callId)) return;
          noted.add(callId);
          if (!isFromTool(receipt)) return;
          const tool = catalogue.get(toolPath);
          told.add({
            kind: "result",
            source: receipt.source ?? toolPath,
            trust: trustOf(status, tool?.trust),
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

/** What calls gave, by the journal. The last cell's results are kept while there is room: its calls follow each other. */
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
      // Without its journal, nothing of it is trusted.
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

/** What came with a message from somewhere else is no word of the user's. */
function wordsOfMessage({ at, data }: CanonicalEvent & { type: "user.message" }): Told {
  if (data.trust === "user") return { kind: "user", text: data.text, today: localDay(at) };
  return { ...untrustedText(`${data.channel} ${data.sender}`, data.text), message: data.text };
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
  const trust = trustOf(status, catalogue.get(toolPath)?.trust);
  const wasUntrusted = labels.some((label) => label.trust === "untrusted");
  return trust === "trusted" && wasUntrusted ? "untrusted" : trust;
}

/** Whether the tool itself was heard, and not Deputy about it. */
export function isFromTool({ status, isToolError }: Pick<Receipt, "status" | "isToolError">): boolean {
  return status === "succeeded" || isToolError === true;
}

/** An error repeats what it was given, and what others answered: whatever a tool vouches for, not for that. */
export function trustOf(status: Receipt["status"], declared: ResultTrust = "untrusted"): ResultTrust {
  return status === "succeeded" ? declared : "untrusted";
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
