import type { SqliteWorld } from "@deputy/world";
import type { OutsideWorld } from "./outside-world.ts";

/** What a process of the kill test works with. */
export interface Setting {
  readonly path: string;
  /** Workflows, or groups of tasks. */
  readonly count: number;
  readonly outside: OutsideWorld;
  readonly failpoint: (name: string) => void;
  readonly onBug: (error: unknown) => void;
}

/** What became of each, by name, as far as it can be compared with an undisturbed process. */
export type Results = Readonly<Record<string, unknown>>;

export async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

/** Until nothing is left to deliver; what waits for ever would show as a timeout of the process. */
export async function untilDrained({ parts }: SqliteWorld): Promise<void> {
  while (parts.store.db.sql("SELECT 1 FROM queue").get() !== undefined) await pause(5);
}
