import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startDaemon } from "../../e2e/run-deputy.ts";
import { makeTestBundle } from "../../e2e/test-bundle.ts";
import { readProcessTree } from "../process-stats.ts";
import { reportLimit } from "../report.ts";
import { sized } from "../sized.ts";
import { createRandom, inventText } from "./invented.ts";

const IDLE_MB = 110;
const NOTES = sized(8, 2);
/** The thread with the index and the process with the model have ended by then. `DEPUTY_BENCH_IDLE_S` asks for longer. */
const IDLE_S = Number(process.env["DEPUTY_BENCH_IDLE_S"] ?? sized(200, 1));

/** A daemon as it is installed, which has indexed and searched with the real model, and has had nothing to do since. */
export async function benchIdleDaemon(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "deputy-home-"));
  try {
    const notes = join(home, "agents/main/memory");
    mkdirSync(notes, { recursive: true });
    const random = createRandom(6);
    for (let at = 0; at < NOTES; at++) writeFileSync(join(notes, `${at}.md`), inventText(random));
    await using daemon = await startDaemon(home, [], undefined, { bundle: await makeTestBundle() });
    const rssMb = (): number => readProcessTree(daemon.child.pid ?? 0).rssBytes / 1e6;
    const before = rssMb();
    for (let done = false; !done;) {
      const status = (await (await daemon.fetch("/api/memory/status")).json()) as {
        readonly embedded: number;
        readonly pieces: number;
      };
      done = status.pieces > 0 && status.embedded === status.pieces;
      if (!done) await sleep(200);
    }
    const found = await daemon.fetch("/api/memory/search?query=where+is+it");
    const { by } = (await found.json()) as { readonly by?: string };
    if (by !== "words and meaning") throw new Error(`It searched by ${by}`);
    const inUse = rssMb();
    await sleep(IDLE_S * 1_000);
    console.log(
      `${"daemon before it searches, and with the model".padEnd(48)} ${before.toFixed(0)} MB, ${inUse.toFixed(0)} MB`,
    );
    reportLimit(`daemon with memory, ${IDLE_S} s after a search`, rssMb(), "MB", IDLE_MB);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
