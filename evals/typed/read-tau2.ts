import { z } from "zod";
import { databaseSchema } from "../retail/retail-database.ts";
import type { Corpus } from "./corpus.ts";
import { readJson } from "./read-json.ts";

const jsonSchema = z.record(z.string(), z.unknown());
const domain = z.object({
  tools: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      parameters: jsonSchema,
      /** The result is wrapped: `{ properties: { returns } }`. */
      returns: z.object({
        properties: z.object({ returns: jsonSchema }),
        $defs: jsonSchema.optional(),
      }),
      type: z.enum(["read", "write", "generic"]),
    }),
  ),
  tasks: z.array(
    z.object({
      id: z.string(),
      calls: z.array(
        z.object({ name: z.string(), args: jsonSchema, result: z.unknown(), error: z.string().nullable() }),
      ),
      db_hash_final: z.string(),
    }),
  ),
});
const file = z.object({
  retail: domain.extend({ db: databaseSchema, db_hash_initial: z.string() }),
  airline: domain,
  mock: domain,
});

export type Tau2 = z.output<typeof file>;
export type Tau2Task = Tau2["retail"]["tasks"][number];

export async function readTau2(directory: string): Promise<Tau2> {
  return await readJson(directory, "tau2.json", file);
}

export function declareTau2Tools(
  name: string,
  { tools }: Pick<z.output<typeof domain>, "tools">,
): Corpus["groups"][number]["tools"] {
  return tools.map((tool) => ({
    path: `${name}.${tool.name}`,
    description: tool.description,
    inputSchema: tool.parameters,
    outputSchema: { ...tool.returns.properties.returns, $defs: tool.returns.$defs ?? {} },
  }));
}

export function tau2Corpus(tau2: Tau2): Corpus {
  const groups = Object.entries(tau2).map(([name, one]) => ({
    tools: declareTau2Tools(name, one),
    calls: one.tasks.flatMap(({ id, calls }) =>
      calls.map((call, index) => ({
        id: `${name} ${id} ${index}`,
        path: `${name}.${call.name}`,
        args: call.args,
      })),
    ),
  }));
  return { name: "τ²", groups };
}
