import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const Row = z.object({
  /** The family it belongs to. */
  rule: z.string(),
  text: z.string(),
  /** Where known, what must not be left. */
  secret: z.string().nullish(),
  expect: z.enum(["redact", "keep"]),
});

export type SecretRow = z.infer<typeof Row>;

/** Rejects when the corpus is missing, or a line of it is not one. */
export async function readSecrets(directory: string): Promise<readonly SecretRow[]> {
  const lines = (await readFile(join(directory, "secrets.jsonl"), "utf8")).trim().split("\n");
  return lines.map((line) => Row.parse(JSON.parse(line)));
}
