import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Model } from "@deputy/model";
import { type Engine, openEngine } from "../../apps/deputy/src/engine.ts";
import { openHome } from "../../apps/deputy/src/home.ts";
import { reportLimit } from "../report.ts";
import { sized } from "../sized.ts";
import { cpuWithChildren, percentile } from "./cpu-time.ts";
import { createRandom, inventText } from "./invented.ts";

/** As many texts as are never computed while a block of turns runs, in one note. */
const PARTS = sized(12, 6);
const TURNS = sized(40, 2);
const WARM_UP = sized(20, 1);
const PAIRS = sized(15, 1);
const MOST_SLOWER = 1.1;
const live = new AbortController().signal;

interface Measured {
  /** Of the thread on which turns run. */
  readonly cpuMs: number;
  /** Of all processes and threads: the model's, too. */
  readonly allCpuMs: number;
  readonly wallMs: number;
}

/**
 * What turns cost while a note is indexed with the real model, which has a process of its own, beside the same turns
 * just before or after without it: the CPU time of the thread on which they run, with what indexing does there, and the
 * time by the clock. Each pair has its own ratio, so that other work on the machine counts for both. Nothing is
 * recalled: how much that takes depends on how much there is, and not on whether more is being indexed.
 */
export async function benchTurnsWhileIndexing(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "deputy-bench-turns-"));
  try {
    const note = join(home, "agents/main/memory/note.md");
    mkdirSync(dirname(note), { recursive: true });
    writeFileSync(join(home, "config.json"), JSON.stringify({ memory: { recall: false } }), { mode: 0o600 });
    await using engine = await open(home);
    await measure(engine, WARM_UP);
    const random = createRandom(7);
    const pairs: (readonly [quiet: Measured, busy: Measured])[] = [];
    const whileIndexing = async (): Promise<Measured> => {
      writeFileSync(note, Array.from({ length: PARTS }, () => inventText(random)).join("\n\n"));
      await engine.memory?.status(live);
      const measured = await measure(engine, TURNS);
      if (await isIndexed(engine)) throw new Error("Everything was indexed before the turns had ended");
      while (!(await isIndexed(engine))) await sleep(100);
      return measured;
    };
    await whileIndexing();
    for (let pair = 0; pair < PAIRS; pair++) {
      const early = pair % 2 === 0 ? await whileIndexing() : undefined;
      const quiet = await measure(engine, TURNS);
      pairs.push([quiet, early ?? (await whileIndexing())]);
    }
    report(pairs);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function report(pairs: readonly (readonly [quiet: Measured, busy: Measured])[]): void {
  const ratios = (of: (measured: Measured) => number): readonly number[] =>
    pairs.map(([quiet, busy]) => of(busy) / of(quiet));
  const shares = pairs.map(([quiet, busy]) => (busy.allCpuMs - quiet.allCpuMs) / busy.wallMs);
  const [quietMs, busyMs] = [0, 1].map((which) =>
    percentile(
      pairs.map((pair) => (pair[which]?.wallMs ?? 0) / TURNS),
      0.5,
    ),
  );
  console.log(
    `${`a turn by the clock, median of ${PAIRS} blocks`.padEnd(48)} ${quietMs?.toFixed(1)} ms alone, ${busyMs?.toFixed(1)} ms while indexing; the median of the pairs ${percentile(
      ratios(({ wallMs }) => wallMs),
      0.5,
    ).toFixed(2)}, which other work on the machine decides`,
  );
  console.log(
    `${"what indexing takes of a core meanwhile".padEnd(48)} ${percentile(shares, 0.5).toFixed(2)} (median)`,
  );
  reportLimit(
    "CPU of the thread of turns, while indexing",
    percentile(
      ratios(({ cpuMs }) => cpuMs),
      0.5,
    ),
    "of that alone",
    MOST_SLOWER,
  );
}

async function isIndexed(engine: Engine): Promise<boolean> {
  const status = await engine.memory?.status(live);
  return status === undefined || status.embedded >= status.pieces;
}

async function measure(engine: Engine, turns: number): Promise<Measured> {
  const before = process.threadCpuUsage();
  const began = performance.now();
  const measured: Partial<Measured> = {};
  const allCpuMs = await cpuWithChildren(async () => {
    for (let n = 0; n < turns; n++)
      await turn(engine, `What do we know of the boiler and of Quentin, in case ${n}?`);
    const { user, system } = process.threadCpuUsage(before);
    Object.assign(measured, { cpuMs: (user + system) / 1_000, wallMs: performance.now() - began });
  });
  return { cpuMs: 0, wallMs: 0, ...measured, allCpuMs };
}

const model: Model = {
  ref: { provider: "bench", model: "script" },
  async *stream() {
    yield { kind: "text", text: "That is all." };
    yield { kind: "stop", reason: "end" };
  },
};

function open(home: string): Promise<Engine> {
  return openEngine({
    home: openHome(home, () => undefined),
    env: {},
    plugins: [],
    embedded: { model },
    secrets: [],
    signal: live,
    warn: (text) => console.log(text),
    onBug: (error) => {
      throw error;
    },
  });
}

/** Each in a conversation of its own. */
async function turn({ sessions, conversations, log, ids }: Engine, text: string): Promise<void> {
  const { session } = await sessions.open(
    { key: ids.next("event"), agentId: "main", channel: "bench" },
    live,
  );
  await conversations.send({ session: session.id, text, channel: "bench", sender: "owner", trust: "user" });
  for await (const item of log.subscribe(session.id, { after: 0 }, live))
    if (item.kind === "event" && /^turn\.(?:completed|failed|aborted)$/.test(item.event.type)) return;
}
