import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findWriter } from "@deputy/store/sqlite";
import { z } from "zod";

/** The states of a running daemon's sources, for other commands to show. The daemon itself does not read them. */
const stateSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("connecting") }),
  z.object({ kind: z.literal("watching"), by: z.enum(["push", "polling"]), note: z.string().optional() }),
  z.object({
    kind: z.literal("failed"),
    code: z.string(),
    reason: z.string(),
    hint: z.string().optional(),
    retryAtMs: z.number(),
  }),
]);
export type ShownState = z.infer<typeof stateSchema>;

const fileSchema = z.object({ pid: z.int(), states: z.record(z.string(), stateSchema) });

const fileIn = (home: string): string => join(home, "events", "states.json");

export function writeStates(home: string, states: Readonly<Record<string, ShownState>>): void {
  mkdirSync(join(home, "events"), { recursive: true, mode: 0o700 });
  const draft = `${fileIn(home)}.new`;
  writeFileSync(draft, JSON.stringify({ pid: process.pid, states }), { mode: 0o600 });
  renameSync(draft, fileIn(home));
}

export function removeStates(home: string): void {
  rmSync(fileIn(home), { force: true });
}

/** Undefined when no daemon watches. */
export function readStates(home: string): ReadonlyMap<string, ShownState> | undefined {
  try {
    const { pid, states } = fileSchema.parse(JSON.parse(readFileSync(fileIn(home), "utf8")));
    return findWriter({ directory: home })?.pid === pid ? new Map(Object.entries(states)) : undefined;
  } catch {
    return undefined;
  }
}

/** Describes the state of a source in a few words. Undefined: no daemon watches. */
export function describeState(state: ShownState | undefined): string {
  if (state === undefined) return "not watched: no daemon is running";
  if (state.kind === "connecting") return "connecting";
  if (state.kind === "failed")
    return `failed: ${state.reason}; tried again at ${new Date(state.retryAtMs).toISOString()}`;
  const how = state.by === "polling" ? "watching, asking every minute" : "watching";
  return state.note === undefined ? how : `${how}: ${state.note}`;
}
