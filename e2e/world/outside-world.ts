import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What workflows did, in a file that outlives their processes. */
export interface OutsideWorld {
  /**
   * Does something once per key, as an API with idempotency keys would. Not safe against being called twice
   * at the same time, on purpose: two deliveries of one step at once leave two lines.
   */
  act(key: string): Promise<void>;
  note(what: string): void;
  /** Every line, in order. */
  lines(): readonly string[];
}

const ACT_MS = 4;

export function openOutsideWorld(directory: string): OutsideWorld {
  const file = join(directory, "outside.log");
  const lines = (): readonly string[] =>
    existsSync(file)
      ? readFileSync(file, "utf8")
          .split("\n")
          .filter((line) => line !== "")
      : [];
  const note = (what: string): void => appendFileSync(file, `${what}\n`);
  return {
    async act(key) {
      if (lines().includes(key)) return;
      await new Promise((resolve) => setTimeout(resolve, ACT_MS));
      note(key);
    },
    note,
    lines,
  };
}
