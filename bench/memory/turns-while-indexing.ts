import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Model } from "@deputy/model";
import { type Engine, openEngine } from "../../apps/deputy/src/engine.ts";
import { openHome } from "../../apps/deputy/src/home.ts";
import { reportLimit } from "../report.ts";
import { sized } from "../sized.ts";
import { percentile } from "./cpu-time.ts";
import { createRandom, inventText } from "./invented.ts";

/** More than are read while the turns run. */
const NOTES = sized(600, 12);
const PARTS = 10;
const TURNS = sized(40, 2);
const WARM_UP = sized(10, 1);
const ROUNDS = sized(5, 1);
const MOST_SLOWER = 1.1;
const live = new AbortController().signal;

interface Measured {
  /** Of the thread on which turns run, in all. */
  readonly cpuMs: number;
  readonly wallMs: readonly number[];
}

/**
 * What a turn costs while notes are indexed with the real model, which has a process of its own: the CPU time of the
 * thread on which turns run, with everything that indexing does there meanwhile, beside the same turns without it.
 * Nothing is recalled: how much that takes depends on how much there is, and not on whether more is being indexed.
 */
export async function benchTurnsWhileIndexing(): Promise<void> {
  const rounds: (readonly [quiet: Measured, busy: Measured])[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await measureRound(round));
  const cpu = rounds.map(([quiet, busy]) => busy.cpuMs / quiet.cpuMs);
  const middle = (of: (measured: Measured) => readonly number[], which: 0 | 1): number =>
    percentile(
      rounds.flatMap((each) => of(each[which])),
      0.5,
    );
  console.log(
    `${`a turn, median of ${ROUNDS * TURNS}`.padEnd(48)} ${middle(({ wallMs }) => wallMs, 0).toFixed(1)} ms alone, ${middle(({ wallMs }) => wallMs, 1).toFixed(1)} ms while indexing (by the clock, which a busy machine makes longer)`,
  );
  console.log(
    `${"CPU of its thread while indexing, each round".padEnd(48)} ${cpu.map((one) => one.toFixed(2)).join(", ")} of that alone`,
  );
  reportLimit("and the median of the rounds", percentile(cpu, 0.5), "of that alone", MOST_SLOWER);
}

async function measureRound(round: number): Promise<readonly [quiet: Measured, busy: Measured]> {
  const home = mkdtempSync(join(tmpdir(), "deputy-bench-turns-"));
  try {
    const folder = join(home, "agents/main/memory");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(home, "config.json"), JSON.stringify({ memory: { recall: false } }), { mode: 0o600 });
    const random = createRandom(7 + round);
    await using engine = await open(home);
    const said = (n: number): string => `What do we know of the boiler and of Quentin, in case ${n}?`;
    for (let n = 0; n < WARM_UP; n++) await turn(engine, said(n));
    const quiet = await measure(engine, said);
    for (let at = 0; at < NOTES; at++)
      writeFileSync(
        join(folder, `${at}.md`),
        Array.from({ length: PARTS }, () => inventText(random)).join("\n\n"),
      );
    await engine.memory?.status(live);
    const busy = await measure(engine, said);
    const status = await engine.memory?.status(live);
    if (status === undefined || status.embedded >= status.pieces)
      throw new Error("Everything was indexed before the turns had ended");
    return [quiet, busy];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function measure(engine: Engine, said: (n: number) => string): Promise<Measured> {
  const wallMs: number[] = [];
  const before = process.threadCpuUsage();
  for (let n = 0; n < TURNS; n++) {
    const began = performance.now();
    await turn(engine, said(n));
    wallMs.push(performance.now() - began);
  }
  const { user, system } = process.threadCpuUsage(before);
  return { cpuMs: (user + system) / 1_000, wallMs };
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
