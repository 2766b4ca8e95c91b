// Appends a scripted session to the home that is its first argument, seeded by the second, and says on stdout what was
// acknowledged, line by line and as it happens. It is there to be killed. It starts from a snapshot (`crash-build.ts`).
import { writeSync } from "node:fs";
import { startupSnapshot } from "node:v8";
import { createIdSource, createSystemClock, type EventId, type IdSource } from "@deputy/kit";
import {
  type EventLog,
  EventLogError,
  type NewEvent,
  type StoredEvent,
  type StreamId,
} from "@deputy/protocol";
import { openSqliteStore } from "@deputy/store/sqlite";

startupSnapshot.setDeserializeMainFunction(async () => {
  const [directory = "", seed = "1", steps = "30"] = process.argv.slice(-3);
  // Nothing that is random is in the snapshot.
  const clock = createSystemClock();
  const ids = createIdSource({ clock });
  const random = createRandom(Number(seed));
  const store = await openSqliteStore({ directory, clock, ids, limits: { checkpointPages: 40 } });
  const script: Script = {
    log: store.log,
    ids,
    random,
    sessions: [ids.next("session"), ids.next("session"), "system"],
    known: [],
  };
  say({ opened: true });
  for (let step = 0; step < Number(steps); step++) {
    try {
      await run(script, step);
    } catch (error) {
      if (!(error instanceof EventLogError)) throw error;
      say({ refused: error.code });
    }
  }
  await store.close();
  say({ closed: true });
});

interface Script {
  readonly log: EventLog;
  readonly ids: IdSource;
  readonly random: (below: number) => number;
  readonly sessions: readonly StreamId[];
  /** What was acknowledged. */
  readonly known: EventId[];
}

async function run({ log, ids, random, sessions, known }: Script, step: number): Promise<void> {
  const session = sessions[random(sessions.length)] ?? "system";
  const append = async (count: number, durability: "full" | "relaxed"): Promise<void> =>
    acknowledge(known, await log.append(session, some(random, step, count), { durability }));
  switch (random(7)) {
    case 0:
      return append(1 + random(4), "relaxed");
    case 1:
      return void (await Promise.all([1, 2, 1, 3, 1].map((count) => append(count, "full"))));
    case 2: {
      const cellId = ids.next("cell");
      const journal = [{ cellId, kind: "call", bytes: new Uint8Array(random(9_000)) }];
      acknowledge(known, await log.append(session, some(random, step, 1), { journal }));
      return say({ journalled: cellId });
    }
    case 3: {
      const id = known[random(known.length)];
      if (id === undefined) return append(1, "full");
      await log.erase(id, "crash-child");
      return say({ erased: id });
    }
    case 4:
      return acknowledge(known, await log.append(session, some(random, step, 1), { expectedSeq: 0 }));
    default:
      return append(1 + random(3), "full");
  }
}

function some(random: Script["random"], step: number, count: number): NewEvent[] {
  return Array.from({ length: count }, (_, n) => ({
    type: "error" as const,
    data: { code: `step ${step}.${n}`, message: "x".repeat(random(50) === 0 ? 20_000 : random(600)) },
  }));
}

function acknowledge(known: EventId[], events: readonly StoredEvent[]): void {
  known.push(...events.map((event) => event.id));
  say({ events: events.map(({ id, stream, seq, payloadHash }) => ({ id, stream, seq, payloadHash })) });
}

function say(what: object): void {
  writeSync(1, `${JSON.stringify(what)}\n`);
}

/** Small and repeatable. */
function createRandom(start: number): (below: number) => number {
  let state = start;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
