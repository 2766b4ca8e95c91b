import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { z } from "zod";

/** A corpus file as its schema reads it. Rejects when it is missing or has another form. */
export async function readJson<Schema extends z.ZodType>(
  directory: string,
  name: string,
  schema: Schema,
): Promise<z.output<Schema>> {
  return schema.parse(JSON.parse(await readFile(join(directory, name), "utf8")));
}
