import { z } from "zod";
import { idSchema } from "../events/shared.ts";
import { responsesFormatSchema } from "./answer-format.ts";
import { contentSchema, metadataSchema, modelSchema, type ReadSaid, readSaid } from "./request-parts.ts";

/** Body of `POST /v1/responses`, as far as it means something here; other fields are passed over. */
export const responsesRequestSchema = z.looseObject({
  model: modelSchema,
  input: z.union([
    z.string().max(900_000),
    z
      .array(
        z.looseObject({
          type: z.string().optional(),
          role: z.string().optional(),
          content: contentSchema.nullish(),
        }),
      )
      .min(1)
      .max(2_000),
  ]),
  instructions: z.string().max(900_000).nullish(),
  stream: z.boolean().nullish(),
  /** The run whose conversation goes on. */
  previous_response_id: idSchema("turn").nullish(),
  text: z.looseObject({ format: responsesFormatSchema.nullish() }).nullish(),
  background: z.literal(false).nullish(),
  metadata: metadataSchema.nullish(),
});
export type ResponsesRequest = z.infer<typeof responsesRequestSchema>;

/** What is said in it. A model's reasoning that is sent back is left out: the agent has its own. */
export function readResponsesInput({ input, instructions }: ResponsesRequest): ReadSaid {
  const told = instructions === null || instructions === undefined ? [] : [system(instructions)];
  if (typeof input === "string") return readSaid([...told, { role: "user", content: input }], "input");
  const items = input.filter(({ type }) => type !== "reasoning");
  const strange = items.find(({ type = "message" }) => type !== "message");
  if (strange !== undefined)
    return { kind: "misfit", field: "input", message: "only messages are understood, no other items" };
  const messages = items.map(({ role = "user", content }) => ({ role, content }));
  return readSaid([...told, ...messages], "input");
}

const system = (content: string) => ({ role: "system", content });
