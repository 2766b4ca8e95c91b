import { createSystemClock } from "@deputy/kit";
import type { Engine } from "./engine.ts";

export interface LeftTasks {
  readonly count: number;
  /** Resolves once each task has ended, or waits for an answer that does not come from here; the lines say which. */
  settle(signal: AbortSignal): Promise<readonly string[]>;
}

const LOOK_MS = 100;

/** Goes on, in the background, with the tasks that an earlier process left without an end. */
export async function goOnWithTasks(engine: Engine, warn: (text: string) => void): Promise<LeftTasks> {
  const streams = new Set(await engine.tasks.interrupted());
  const left = (await engine.tasks.list()).filter(({ stream }) => streams.has(stream));
  await engine.tasks.goOn((task, error) =>
    warn(`Task ${task} waits for the next start: ${error instanceof Error ? error.message : String(error)}`),
  );
  const clock = createSystemClock();
  return {
    count: left.length,
    async settle(signal) {
      const words: string[] = [];
      for (const { id } of left) {
        let status = (await engine.tasks.get(id))?.status;
        while (status === "running" && !signal.aborted) {
          await clock.sleep(LOOK_MS, signal).catch(() => undefined);
          status = (await engine.tasks.get(id))?.status;
        }
        words.push(
          status === "waiting"
            ? `Task ${id} waits for your answer: \`deputy serve\` continues it.`
            : `Task ${id}, which was interrupted: ${status ?? "gone"}.`,
        );
      }
      return words;
    },
  };
}
