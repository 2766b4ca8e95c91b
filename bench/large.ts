import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Daemon, startDaemon } from "../e2e/run-deputy.ts";
import { fillSessions } from "./large/fill-session.ts";
import { watchHealth } from "./large/watch-health.ts";
import { reportLimit } from "./report.ts";
import { sized } from "./sized.ts";

const plugin = fileURLToPath(new URL("large/busy-plugin.ts", import.meta.url));
const OBJECTS = sized(200_000, 100);
const SIZES = sized([10, 1_000, 10_000], [10, 20]);
const WARM_UP = sized(30, 1);
const TURNS = sized(10, 1);

/** `/health` must answer within this much CPU time. */
const BLOCKED_MS = 250;
/** Before results were read in slices, and turns from a session's end: measured at that time. */
const EARLIER = {
  objectsCpuMs: 12_700,
  objectsRssMb: 811,
  messages: 950,
  firstTurnMs: 2_600,
  longTurnRatio: 203 / 107,
};
const SESSION_RSS_MB = 420;
/** A turn in the longest session, compared with one in the shortest. */
const MOST_RATIO = 1.5;

/** What a large result and a long session cost, and whether they delay anything else. */
export async function benchLarge(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "deputy-home-"));
  try {
    const sessions = await fillSessions(home, SIZES);
    await using daemon = await startDaemon(home, ["--tools", plugin]);
    const say = createSay(daemon);
    // Loads and warms up everything, so that the first session does not pay for it.
    for (let n = 0; n < WARM_UP; n++) await say(undefined, note("to warm up"));
    await measureSessions(daemon, say, sessions);
    await measureResult(daemon, say);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

type Say = (session: string | undefined, text: string) => Promise<void>;

async function measureSessions(daemon: Daemon, say: Say, sessions: readonly string[]): Promise<void> {
  const perTurn: number[] = [];
  for (const [at, session] of sessions.entries()) {
    const size = SIZES[at] ?? 0;
    const first = await watchHealth(daemon, () => say(session, note("first")));
    if (size > 1_000) {
      const what = `long session, ${size} messages: first turn after a restart`;
      const earlierMs = (EARLIER.firstTurnMs / EARLIER.messages) * size;
      reportLimit(`${what}, CPU (limit: as earlier, per message)`, first.cpuMs, "ms", earlierMs);
      reportLimit(`${what}, /health blocked`, first.blockedMs, "ms", BLOCKED_MS);
    }
    const { cpuMs, blockedMs } = await watchHealth(daemon, async () => {
      for (let n = 0; n < TURNS; n++) await say(session, note(`number ${n}`));
    });
    perTurn.push(cpuMs / TURNS);
    reportLimit(`long session, ${size} messages: /health blocked`, blockedMs, "ms", BLOCKED_MS);
  }
  const [least = Number.NaN] = perTurn;
  for (const [at, cpuMs] of perTurn.entries())
    reportLimit(
      `long session, ${SIZES[at]} messages: CPU per turn (earlier at 950: ×${EARLIER.longTurnRatio.toFixed(1)})`,
      cpuMs,
      "ms",
      least * MOST_RATIO,
    );
  reportLimit("long sessions: RSS", rssMb(daemon), "MB", SESSION_RSS_MB);
}

async function measureResult(daemon: Daemon, say: Say): Promise<void> {
  const what = `result of ${OBJECTS} objects`;
  const list = `(await tools.busy.list({ count: ${OBJECTS} })).length`;
  const read = await watchHealth(daemon, () => say(undefined, program(`return ${list};`)));
  reportLimit(`${what}: CPU`, read.cpuMs, "ms", EARLIER.objectsCpuMs);
  reportLimit(`${what}: /health blocked`, read.blockedMs, "ms", BLOCKED_MS);
  // The policy asks for the origin of values, so all of it is indexed.
  const used = await watchHealth(daemon, () =>
    say(
      undefined,
      program(`const n = ${list}; return await tools.busy.note({ text: "the parcel list" }) + n;`),
    ),
  );
  reportLimit(`${what}, then a write: CPU`, used.cpuMs, "ms", EARLIER.objectsCpuMs);
  reportLimit(`${what}, then a write: /health blocked`, used.blockedMs, "ms", BLOCKED_MS);
  reportLimit(`${what}: RSS`, rssMb(daemon), "MB", EARLIER.objectsRssMb);
}

/** Sends a message in a session, and waits for the answer. */
function createSay(daemon: Daemon): Say {
  return async (session, content) => {
    const metadata = session === undefined ? {} : { metadata: { session } };
    const body = { model: "main", messages: [{ role: "user", content }], ...metadata };
    const answer = await daemon.post("/v1/chat/completions", body);
    const text = await answer.text();
    if (!answer.ok || !text.includes("ran to its end")) throw new Error(`Not answered: ${text}`);
  };
}

const program = (code: string): string => `\`\`\`ts\n${code}\n\`\`\``;
const note = (text: string): string => program(`return await tools.busy.note({ text: "${text}" });`);

function rssMb(daemon: Daemon): number {
  const status = readFileSync(`/proc/${daemon.child.pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) / 1024;
}
