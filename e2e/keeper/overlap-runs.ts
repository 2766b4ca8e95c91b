import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createRandom } from "../crash-run.ts";
import { startDaemon, TOKEN } from "../run-deputy.ts";
import { judgeWorld, readLines, readWorld } from "./judge-log.ts";
import { pause } from "./trial.ts";

const PLUGIN = fileURLToPath(new URL("effects-plugin.ts", import.meta.url));
/** Longer than the schedule's interval: each run meets the one before. */
const CALL_MS = 700;
const MOST_WAIT_MS = 120_000;
/** More than one run has in the two seconds until the next replaces it. */
const LEAST_EFFECTS = 4;
const PROMPT = `\`\`\`ts
for (let n = 0; n < 6; n++) await tools.effects.add({ what: String(n), waitMs: ${CALL_MS} });
return "done";
\`\`\``;

export interface OverlapReport {
  readonly turns: number;
  readonly kills: number;
  readonly aborted: number;
  readonly effects: number;
  /** What is wrong, in words; empty when everything holds. */
  readonly faults: readonly string[];
}

/**
 * A task every two seconds whose runs take longer and replace each other, in daemons that are killed every few seconds.
 * Afterwards: each turn has at most one end and nothing after it, and each effect is of a call that was begun before.
 */
export async function overlapRuns(options: {
  readonly lives: number;
  readonly seed: number;
  readonly onProgress?: (lives: number) => void;
}): Promise<OverlapReport> {
  const random = createRandom(options.seed);
  const scratch = mkdtempSync(join(tmpdir(), "deputy-overlap-"));
  const home = join(scratch, "home");
  const effects = join(scratch, "effects");
  const env = { DEPUTY_TOKEN: TOKEN, EFFECTS: scratch };
  try {
    for (let life = 0; life < options.lives; life++) {
      await using daemon = await startDaemon(home, ["--tools", PLUGIN], env);
      if (life === 0) {
        const schedule = { kind: "every", everyMs: 2_000, overlap: "cancel" };
        const created = await daemon.post("/api/tasks", { prompt: PROMPT, kind: "recurring", schedule });
        if (created.status !== 201) throw new Error(await created.text());
      }
      const before = readLines(effects).length;
      const deadline = performance.now() + MOST_WAIT_MS;
      // Counted in effects, not in time: on a busy machine it takes a while until runs follow each other.
      const enough = before + LEAST_EFFECTS + random(3);
      while (readLines(effects).length < enough && performance.now() < deadline) await pause(50);
      await pause(random(CALL_MS));
      await daemon.end("SIGKILL");
      options.onProgress?.(life + 1);
    }
    return await judge(home, effects, options.lives);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function judge(home: string, effectsFile: string, kills: number): Promise<OverlapReport> {
  const record = await readWorld(home, effectsFile);
  const { turns, effects } = record;
  const aborted = record.events.filter(({ type }) => type === "turn.aborted").length;
  return { turns: turns.size, kills, aborted, effects: effects.length, faults: judgeWorld(record, kills) };
}
