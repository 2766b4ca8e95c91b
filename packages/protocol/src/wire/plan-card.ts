import { z } from "zod";
import { approvalPreviewSchema } from "../events/call-events.ts";
import { idSchema } from "../events/shared.ts";

/** The input of an approval request whose tool path is `plan`, as clients show it. */
export const planCardSchema = z.object({
  calls: z.array(
    z.object({
      callId: idSchema("call"),
      toolPath: z.string(),
      input: z.unknown(),
      preview: approvalPreviewSchema,
    }),
  ),
  /** How many further calls will ask later, because their input depends on results. */
  unforeseen: z.int().optional(),
});
export type PlanCard = z.infer<typeof planCardSchema>;

/** Undefined for a request that is no plan. */
export function readPlanCard(request: {
  readonly toolPath: string;
  readonly input: unknown;
}): PlanCard | undefined {
  if (request.toolPath !== "plan") return undefined;
  const read = planCardSchema.safeParse(request.input);
  return read.success ? read.data : undefined;
}
