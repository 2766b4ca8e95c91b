import { existsSync, readFileSync } from "node:fs";
import { isTurnEndType, readNote, type StoredEvent } from "@deputy/protocol";
import { openSqliteReader } from "@deputy/store/sqlite";

/** What became of one call of a tool. */
export interface CallRecord {
  readonly toolPath: string;
  readonly what: string;
  isStarted: boolean;
  /** Absent while it has no receipt. */
  settled?: { readonly status: string; readonly error?: { readonly code: string; readonly message: string } };
}

/** What the log and the world outside say. */
export interface WorldRecord {
  readonly events: readonly StoredEvent[];
  readonly turns: ReadonlyMap<string, readonly StoredEvent[]>;
  readonly calls: ReadonlyMap<string, CallRecord>;
  /** Which call had which effect. */
  readonly effects: readonly { readonly call: string; readonly what: string }[];
  /** What the user was told unasked. */
  readonly notes: readonly string[];
}

export async function readWorld(home: string, effectsFile: string): Promise<WorldRecord> {
  await using log = openSqliteReader({ directory: home });
  const events = (await Array.fromAsync(log.readAll())).map(({ event }) => event);
  const turns = Map.groupBy(
    events.filter(({ turnId }) => turnId !== undefined),
    ({ turnId = "" }): string => turnId,
  );
  const calls = new Map<string, CallRecord>();
  const notes: string[] = [];
  for (const { type, data } of events) {
    const {
      callId = "",
      toolPath = "",
      input,
      ...rest
    } = Object(data) as {
      callId?: string;
      toolPath?: string;
      input?: unknown;
    };
    const what = String(Reflect.get(Object(input), "what") ?? "");
    if (type === "call.requested") calls.set(callId, { toolPath, what, isStarted: false });
    const call = calls.get(callId);
    if (type === "call.started" && call !== undefined) call.isStarted = true;
    if (type === "call.settled" && call !== undefined)
      call.settled = rest as NonNullable<CallRecord["settled"]>;
    if (type === "user.message") notes.push(readNote(data as Parameters<typeof readNote>[0])?.text ?? "");
  }
  const effects = readLines(effectsFile).map((line) => {
    const [call = "", ...what] = line.split(" ");
    return { call, what: what.join(" ") };
  });
  return { events, turns, calls, effects, notes: notes.filter((note) => note !== "") };
}

export function readLines(file: string): readonly string[] {
  const text = existsSync(file) ? readFileSync(file, "utf8").trimEnd() : "";
  return text === "" ? [] : text.split("\n");
}

/** Turns that were begun or asked for and have no end. */
export function openTurns({ turns }: WorldRecord): readonly string[] {
  return [...turns].flatMap(([id, events]) => (events.some(({ type }) => isTurnEndType(type)) ? [] : [id]));
}

/** The machine was so busy that a program was not checked in time, and so not run. */
export function wasTooSlow(events: readonly StoredEvent[]): boolean {
  return events.some(({ data }) => JSON.stringify(data).includes("checker_timeout"));
}

/** A call that must not be repeated ran when the process died, and nobody said that it may be: its program ends there. */
function wasCutOff(events: readonly StoredEvent[]): boolean {
  return events.some(({ data }) => JSON.stringify(data).includes("its outcome is unknown. [unknown]"));
}

/**
 * What holds of any log: a turn has one end at most, and nothing after it; what has an effect was begun before and has
 * it once, or, where its tool may be repeated, once more than it ran at a death.
 */
export function judgeWorld({ turns, calls, effects }: WorldRecord, kills: number): readonly string[] {
  const faults: string[] = [];
  for (const [id, events] of turns) {
    const ends = events.filter(({ type }) => isTurnEndType(type));
    if (ends.length > 1) faults.push(`${id} has ${ends.length} ends`);
    if (ends.length === 1 && events.at(-1) !== ends[0])
      faults.push(`${id}: ${events.at(-1)?.type} after its end`);
    if (ends[0]?.type === "turn.failed" && !wasTooSlow(ends) && !(kills > 0 && wasCutOff(ends)))
      faults.push(`${id} failed: ${JSON.stringify(ends[0].data)}`);
  }
  for (const [id, had] of Map.groupBy(effects, ({ call }) => call)) {
    const call = calls.get(id);
    if (call?.isStarted !== true) faults.push(`${id} had an effect, and was not begun`);
    // A call that ran at two deaths is not repeated.
    const most = call?.toolPath === "effects.again" ? 1 + Math.min(kills, 1) : 1;
    if (had.length > most) faults.push(`${id} (${call?.toolPath}) had its effect ${had.length} times`);
  }
  return faults;
}
