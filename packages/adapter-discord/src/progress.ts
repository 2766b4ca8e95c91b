import { z } from "zod";

/** Where Deputy keeps how far it has heard, across restarts. Losing it loses only what was said while Deputy was away. */
export interface Kept {
  /** Undefined if there is nothing yet. Never throws: what cannot be read is nothing. */
  read(): unknown;
  write(value: unknown): void;
}

export interface GatewaySession {
  readonly sessionId: string;
  readonly resumeURL: string;
  readonly sequence: number;
}

const keptSchema = z.object({
  session: z.object({ sessionId: z.string(), resumeURL: z.string(), sequence: z.int() }).optional(),
  /** The newest message that was taken, by place; those used last come last. */
  places: z.array(z.tuple([z.string(), z.string()])).default([]),
  /** What was taken last, by our own ids. */
  recent: z.array(z.string()).default([]),
});

const MOST_PLACES = 200;
const MOST_RECENT = 200;

/**
 * How far Deputy has heard. Discord numbers what it sends to a session; after a restart Deputy asks for all that came
 * after the last number up to which everything was taken. Where Discord has forgotten the session, each place is read
 * from its last message on.
 */
export interface Progress {
  /** From where to go on; undefined: from the beginning. */
  session(): GatewaySession | undefined;
  places(): ReadonlyMap<string, string>;
  /** Discord has begun another session, or forgotten it. It is kept once what came before it is taken. */
  begin(session: GatewaySession | undefined): void;
  caughtUp(): void;
  arrived(sequence: number): void;
  /** It is taken, or is nothing. */
  taken(sequence: number): void;
  /** True if this very thing was taken, also before a restart: Discord sends again what came after a gap. */
  isKnown(id: string): boolean;
  /** This thing is taken. */
  know(id: string): void;
  /** Everything in the place is taken up to this message. */
  heard(place: string, message: string): void;
  forget(place: string): void;
  save(): void;
}

export function openProgress(kept: Kept): Progress {
  const read = keptSchema.safeParse(kept.read());
  let session = read.data?.session;
  const places = new Map(read.data?.places ?? []);
  const recent = new Set(read.data?.recent ?? []);
  const waiting = new Set<number>();
  let highest = session?.sequence ?? 0;
  let isCaughtUp = true;

  return {
    session: () => session,
    places: () => new Map(places),
    begin(next) {
      session = next;
      highest = next?.sequence ?? 0;
      waiting.clear();
      isCaughtUp = false;
    },
    caughtUp: () => void (isCaughtUp = true),
    arrived(sequence) {
      waiting.add(sequence);
      highest = Math.max(highest, sequence);
    },
    taken(sequence) {
      waiting.delete(sequence);
      if (session !== undefined) session = { ...session, sequence: Math.min(highest, ...below(waiting)) };
    },
    isKnown: (id) => recent.has(id),
    know(id) {
      recent.add(id);
      const [oldest] = recent;
      if (recent.size > MOST_RECENT && oldest !== undefined) recent.delete(oldest);
    },
    heard(place, message) {
      const before = places.get(place);
      places.delete(place);
      places.set(place, before !== undefined && isNewer(before, message) ? before : message);
      const [oldest] = places.keys();
      if (places.size > MOST_PLACES && oldest !== undefined) places.delete(oldest);
    },
    forget: (place) => void places.delete(place),
    save: () =>
      kept.write({
        ...(isCaughtUp && session !== undefined && { session }),
        places: [...places],
        recent: [...recent],
      }),
  };
}

function below(waiting: ReadonlySet<number>): readonly number[] {
  return [...waiting].map((sequence) => sequence - 1);
}

/** Discord's ids grow with time. */
function isNewer(one: string, other: string): boolean {
  return one.length === other.length ? one > other : one.length > other.length;
}
