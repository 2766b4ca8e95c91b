import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const caseSchema = z.object({
  id: z.string(),
  command: z.string(),
  expect: z.enum(["ask", "allow"]),
  class: z.string(),
});
/** A command line, and what must be said of it. `{WS}` stands for the workspace, `{OUT}` for a directory outside. */
export type ShellCase = z.infer<typeof caseSchema>;

export async function readShellCases(directory: string): Promise<readonly ShellCase[]> {
  const text = await readFile(join(directory, "shell-bypass.jsonl"), "utf8");
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => caseSchema.parse(JSON.parse(line)));
}
