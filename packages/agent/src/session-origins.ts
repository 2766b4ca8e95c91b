import { createOriginIndex, type OriginIndex, type Origins } from "@deputy/policy";
import {
  type CanonicalEvent,
  type EventData,
  type EventLog,
  readEvent,
  type ResultTrust,
  type StreamId,
} from "@deputy/protocol";
import type { Catalogue } from "@deputy/tools";
import { readCellJournal } from "./cell-journal.ts";
import { localDay } from "./local-day.ts";
import type { CallError, Receipt } from "./receipt.ts";

/** Where everything came from that a session's programs, and so its model, have seen. */
export interface SessionOrigins {
  readonly origins: Origins;
  /** What a call gave, as soon as the program may see it. */
  note(receipt: Receipt): void;
}

export interface SessionOriginsReader {
  /**
   * As the log has it by now: the user's messages, their own programs, and what calls gave, whole from
   * the journal. What has lost its journal counts as untrusted, by what the event kept of it.
   */
  of(stream: StreamId, catalogue: Pick<Catalogue, "get">, instructions: string): Promise<SessionOrigins>;
}

/** Sessions whose index is kept; others are read again. */
const KEPT_SESSIONS = 16;

/** As the question names it. */
const CLIENTS_PROGRAM = "the program, which a client's model wrote";

/** What a call gave, and for what: an echo of its own input vouches for nothing. */
interface Given {
  readonly json: string;
  readonly input: unknown;
}

interface Kept {
  index: OriginIndex;
  /** What the user said, should it turn out that somebody else wrote it down. */
  readonly said: string[];
  readonly noted: Set<string>;
  /** Configurations it knows. */
  readonly told: Set<string>;
  after: number;
}

export function createSessionOrigins(log: Pick<EventLog, "read" | "journal">): SessionOriginsReader {
  const kept = new Map<StreamId, Kept>();

  const take = (stream: StreamId): Kept => {
    const session = kept.get(stream) ?? {
      index: createOriginIndex(),
      said: [],
      noted: new Set<string>(),
      told: new Set<string>(),
      after: 0,
    };
    kept.delete(stream);
    kept.set(stream, session);
    const [oldest] = kept.keys();
    if (kept.size > KEPT_SESSIONS && oldest !== undefined) kept.delete(oldest);
    return session;
  };

  const hear = async (
    session: Kept,
    event: CanonicalEvent,
    cells: Map<string, Promise<ReadonlyMap<string, Given>>>,
    catalogue: Pick<Catalogue, "get">,
  ): Promise<void> => {
    const { noted, said } = session;
    if (event.type === "session.imported") {
      // Whoever wrote the file could write anything into it: none of it is this user's word.
      session.index = createOriginIndex();
      for (const configuration of session.told) session.index.addConfiguration(configuration);
      session.index.addResult({ source: "an imported session", trust: "untrusted" }, said);
    }
    const { index } = session;
    if (event.type === "user.message") {
      hearUser(index, event);
      said.push(event.data.text);
    }
    // A program of the user's own is their word; one that a model wrote is not. Of a client's model nobody
    // here knows what it has read.
    if (event.type === "cell.submitted" && event.data.providerCallId === undefined) {
      const { code, writtenBy } = event.data;
      if (writtenBy === "model") index.addResult({ source: CLIENTS_PROGRAM, trust: "untrusted" }, code);
      else {
        index.addUser(code);
        said.push(code);
      }
    }
    if (event.type === "session.compacted")
      for (const { trust, source } of event.data.labels ?? [])
        if (trust === "untrusted") index.addResult({ source, trust }, event.data.summary);
    if (event.type !== "call.settled" || noted.has(event.data.callId)) return;
    noted.add(event.data.callId);
    const { cellId, callId, toolPath, labels } = event.data;
    // What Deputy itself says of a call has no label.
    if (labels.length === 0) return;
    const results = await resultsOf(cells, cellId);
    const whole = results.get(callId);
    const trust = whole === undefined ? "untrusted" : trustThen(event.data, catalogue);
    const source = labels[0]?.source ?? toolPath;
    index.addResult(
      { source, trust },
      whole === undefined ? shownOf(event.data) : parse(whole.json),
      whole?.input,
    );
  };

  const resultsOf = (
    cells: Map<string, Promise<ReadonlyMap<string, Given>>>,
    cellId: EventData<"call.settled">["cellId"],
  ): Promise<ReadonlyMap<string, Given>> => {
    if (cellId === undefined) return Promise.resolve(new Map());
    const known = cells.get(cellId) ?? readResults(cellId);
    cells.set(cellId, known);
    return known;
  };

  const readResults = async (
    cellId: NonNullable<EventData<"call.settled">["cellId"]>,
  ): Promise<ReadonlyMap<string, Given>> => {
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
    async of(stream, catalogue, instructions) {
      const session = take(stream);
      const { noted, told } = session;
      if (instructions !== "" && !told.has(instructions)) {
        told.add(instructions);
        session.index.addConfiguration(instructions);
      }
      const cells = new Map<string, Promise<ReadonlyMap<string, Given>>>();
      for await (const stored of log.read(stream, { after: session.after })) {
        const read = readEvent(stored);
        if (read.kind === "known") await hear(session, read.event, cells, catalogue);
        session.after = stored.seq;
      }
      const { index } = session;
      return {
        origins: index.origins(),
        note(receipt) {
          const { callId, toolPath, status, input, resultJson, error } = receipt;
          if (noted.has(callId)) return;
          noted.add(callId);
          if (!isFromTool(receipt)) return;
          const trust = trustOf(status, catalogue.get(toolPath)?.trust);
          const gave = error === undefined ? parse(resultJson ?? "null") : wordsOf(error);
          index.addResult({ source: receipt.source ?? toolPath, trust }, gave, input);
        },
      };
    },
  };
}

/** What came with a message from somewhere else is no word of the user's. */
function hearUser(index: OriginIndex, { at, data }: CanonicalEvent & { type: "user.message" }): void {
  if (data.trust === "user") index.addUser(data.text, localDay(at));
  else index.addResult({ source: `${data.channel} ${data.sender}`, trust: "untrusted" }, data.text);
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
