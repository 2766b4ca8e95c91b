import { z } from "zod";
import type { Corpus } from "./corpus.ts";
import { readJson } from "./read-json.ts";

const jsonSchema = z.record(z.string(), z.unknown());
const file = z.array(
  z.object({
    id: z.string(),
    functions: z.array(z.object({ name: z.string(), description: z.string(), parameters: jsonSchema })),
    calls: z.array(z.object({ name: z.string(), args: jsonSchema })),
  }),
);

export async function readBfcl(directory: string): Promise<Corpus> {
  const cases = await readJson(directory, "bfcl.json", file);
  const groups = cases.map(({ id, functions, calls }) => ({
    tools: functions.map(({ name, description, parameters }) => ({
      path: name,
      description,
      inputSchema: parameters,
    })),
    calls: calls.map(({ name, args }, index) => ({ id: `${id} ${index}`, path: name, args })),
  }));
  return { name: "BFCL", groups };
}
