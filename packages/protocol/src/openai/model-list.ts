import { z } from "zod";

/** Body of `GET /v1/models`: each agent is a model. */
export const modelListSchema = z.object({
  object: z.literal("list"),
  data: z.array(
    z.object({
      /** The agent's slug. */
      id: z.string(),
      object: z.literal("model"),
      created: z.int(),
      owned_by: z.literal("deputy"),
    }),
  ),
});
