import { createRedactor } from "@deputy/secrets";
import { reportLimit, reportPeer } from "./report.ts";
import { sized } from "./sized.ts";

const ROUNDS = sized(9, 1);
const SHORT_TEXTS = sized(20_000, 100);
/** A few microseconds for what an event usually has in it. */
const LIMIT_MICROS_PER_100_CHARS = 5;

const PROSE =
  "The quick brown fox reads the documentation about access to the API, in general, while the lazy dog keeps the keys. ";
const CODE =
  "const total = items.filter((item) => item.key !== undefined).map(({ price }) => price * 1.2);\n";
const TEXTS = [
  ["prose", PROSE.repeat(8_000)],
  ["code", CODE.repeat(10_000)],
  ["base64", "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo+/".repeat(27_000)],
] as const;

/** What redaction costs, in CPU time, against one pass of a simple regular expression. */
export async function benchSecrets(): Promise<void> {
  const redactor = createRedactor([crypto.randomUUID(), crypto.randomUUID()]);
  for (const [what, text] of TEXTS) {
    const megabytes = text.length / 1e6;
    const ours: number[] = [];
    const peer: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(cpuMillisOf(() => redactor.text(text)) / megabytes);
      peer.push(cpuMillisOf(() => text.replaceAll(/[A-Za-z0-9_]{36,}\b/g, "")) / megabytes);
    }
    reportPeer(`secrets redacted, ${what}`, "CPU ms/MB", ours, {
      name: "one regular expression",
      rounds: peer,
    });
  }
  const short = PROSE.slice(0, 100);
  const micros = Array.from(
    { length: ROUNDS },
    () => (cpuMillisOf(() => repeat(SHORT_TEXTS, () => redactor.text(short))) * 1_000) / SHORT_TEXTS,
  );
  reportLimit("secrets redacted, 100 characters", Math.min(...micros), "µs", LIMIT_MICROS_PER_100_CHARS);
}

function cpuMillisOf(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

function repeat(times: number, work: () => unknown): void {
  for (let n = 0; n < times; n++) work();
}
