import { type CommandPlace, createPlace, type PlaceTerms } from "../../sandbox/command-place.ts";
import type { CommandLimits } from "@deputy/tools";
import type { SandboxEntry } from "../../sandbox/sandbox-audit.ts";
import { createNoSandbox } from "./choose-sandbox.ts";

const GB = 1024 ** 3;

/** What tests let commands have. */
export const TERMS: PlaceTerms = {
  network: "none",
  mounts: [],
  hidden: [],
  limits: { cpuMs: 60_000, memoryBytes: 2 * GB, processes: 500, fileBytes: GB },
};

/** Commands as they are, without a sandbox. */
export function openNoPlace(limits: Partial<CommandLimits> = {}): CommandPlace {
  return createPlace(createNoSandbox(), { ...TERMS, limits: { ...TERMS.limits, ...limits } });
}

/** What runners of tests need besides their place. */
export function runnerParts(entries: SandboxEntry[] = []) {
  return { outputBytes: GB, audit: (entry: SandboxEntry) => void entries.push(entry) };
}
