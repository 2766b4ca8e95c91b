import type { Clock } from "./clock.ts";

/** What an id names, with its prefix. The prefix says what a stray id in a log belongs to. */
export const idPrefixes = {
  event: "evt",
  session: "ses",
  turn: "trn",
  item: "itm",
  cell: "cel",
  call: "cal",
  plan: "pln",
  grant: "grt",
  task: "tsk",
  reminder: "rem",
} as const;

export type IdKind = keyof typeof idPrefixes;

declare const brand: unique symbol;
/** A string that only an id source or `parseId` can produce. */
export type Id<Kind extends IdKind> = string & { readonly [brand]: Kind };

export type EventId = Id<"event">;
export type SessionId = Id<"session">;
export type TurnId = Id<"turn">;
export type ItemId = Id<"item">;
export type CellId = Id<"cell">;
export type CallId = Id<"call">;
export type PlanId = Id<"plan">;
export type GrantId = Id<"grant">;
export type TaskId = Id<"task">;
export type ReminderId = Id<"reminder">;

export interface IdSource {
  /** Ids of one source sort in the order of creation, even within a millisecond and when the clock goes back. */
  next<Kind extends IdKind>(kind: Kind): Id<Kind>;
}

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TIME_CHARS = 10;
const RANDOM_CHARS = 16;
const POOL_BYTES = 2048;
const BODY = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Ids are ULIDs behind a prefix: `evt_01K9Z3…`, 48 bits of time and 80 of randomness. */
export function createIdSource(deps: {
  readonly clock: Clock;
  readonly fillRandom?: (bytes: Uint8Array<ArrayBuffer>) => void;
}): IdSource {
  const fillRandom = deps.fillRandom ?? createRandomPool();
  const tail = new Uint8Array(RANDOM_CHARS);
  let lastMs = -1;

  const advance = (nowMs: number): void => {
    if (nowMs > lastMs) {
      lastMs = nowMs;
      fillRandom(tail);
      for (let i = 0; i < RANDOM_CHARS; i++) tail[i] = (tail[i] ?? 0) & 31;
      return;
    }
    for (let i = RANDOM_CHARS - 1; i >= 0; i--) {
      const digit = (tail[i] ?? 0) + 1;
      tail[i] = digit & 31;
      if (digit < 32) return;
    }
    lastMs += 1; // The random part overflowed: borrow the next millisecond.
  };

  return {
    next(kind) {
      advance(Math.max(0, Math.floor(deps.clock.now())));
      let text = "";
      for (let ms = lastMs, i = 0; i < TIME_CHARS; i++, ms = Math.floor(ms / 32))
        text = ALPHABET[ms % 32] + text;
      for (const digit of tail) text += ALPHABET[digit];
      return `${idPrefixes[kind]}_${text}` as Id<typeof kind>;
    },
  };
}

/**
 * Random bytes, fetched from the system in large portions: a system call costs more than the rest of making
 * an id.
 */
function createRandomPool(): (bytes: Uint8Array<ArrayBuffer>) => void {
  const pool = new Uint8Array(POOL_BYTES);
  let next = POOL_BYTES;
  return (bytes) => {
    if (next + bytes.length > POOL_BYTES) {
      globalThis.crypto.getRandomValues(pool);
      next = 0;
    }
    bytes.set(pool.subarray(next, next + bytes.length));
    next += bytes.length;
  };
}

/** The id if `text` is one of that kind, else undefined. */
export function parseId<Kind extends IdKind>(kind: Kind, text: string): Id<Kind> | undefined {
  const prefix = idPrefixes[kind];
  if (!text.startsWith(`${prefix}_`) || !BODY.test(text.slice(prefix.length + 1))) return undefined;
  return text as Id<Kind>;
}

/** When the id was made, in milliseconds since the epoch. */
export function idTimeMs(id: Id<IdKind>): number {
  let ms = 0;
  for (const char of id.slice(4, 4 + TIME_CHARS)) ms = ms * 32 + ALPHABET.indexOf(char);
  return ms;
}
