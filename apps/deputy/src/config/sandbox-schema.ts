import { z } from "zod";
import { now } from "./setting.ts";

/** A sandbox of the settings, or one that Deputy knows. */
export const SANDBOX_NAME = /^[a-z][a-z0-9-]{1,30}$/;
const KNOWN: ReadonlySet<string> = new Set(["auto", "bubblewrap", "none"]);

/** Sandboxes that Deputy does not know itself (`docs/sandboxes.md`). */
export const sandboxesSchema = now(
  z
    .record(
      z
        .string()
        .regex(SANDBOX_NAME, "must be a name of small letters, digits and hyphens")
        .refine((name) => !KNOWN.has(name), "is the name of something that Deputy knows itself"),
      z.strictObject({
        module: z.string().min(1),
        settings: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
      }),
    )
    .default({}),
  "Sandboxes by adapters of your own: by name, `module` (the file) and `settings`",
);

const MB = 1024 ** 2;
const amount = (most: number, least: number, usual: number) => z.int().min(least).max(most).default(usual);

/** What a command may have. Time and kept output are settings of their own. */
export const limitsSchema = z
  .strictObject({
    memoryMb: now(
      amount(1_000_000, 128, 4_096),
      "Memory of each process of a command, in MB; of all together where bubblewrap can use control groups (a systemd service with `Delegate=yes`)",
    ),
    processes: now(amount(100_000, 16, 1_024), "How many processes a command may have, in a sandbox"),
    cpuSeconds: now(amount(1_000_000, 1, 3_600), "What each process of a command may compute, in seconds"),
    fileMb: now(amount(10_000_000, 1, 16_384), "How long a file may become that a command writes, in MB"),
    outputMb: now(amount(100_000, 1, 1_024), "What a command may write to its output, kept or not, in MB"),
  })
  .prefault({});

/** The limits as sandboxes know them. */
export function commandLimits(limits: z.infer<typeof limitsSchema>) {
  return {
    cpuMs: limits.cpuSeconds * 1_000,
    memoryBytes: limits.memoryMb * MB,
    processes: limits.processes,
    fileBytes: limits.fileMb * MB,
  };
}
