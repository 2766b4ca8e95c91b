import type { z } from "zod";
import { defineTool } from "@deputy/tools";
import type { Tool } from "@deputy/tools";
import { ToolsError } from "@deputy/tools";

/**
 * A tool whose engine does not exist yet, with the schemas that it will have: programs written now stay right.
 * It does nothing, so nobody is asked about it; every call is `not_available`.
 */
export function notAvailableTool(definition: {
  readonly description: string;
  readonly args: z.ZodType;
  readonly returns: z.ZodType;
  /** What there is not yet, as the beginning of a sentence. */
  readonly missing: string;
  readonly hint: string;
}): Tool {
  const { description, args, returns, missing, hint } = definition;
  return defineTool({
    description: `${description} (not available yet)`,
    approval: "auto",
    effect: "read",
    args,
    returns,
    run: () => {
      const message = `${missing} not available in this version. ${hint}`;
      throw new ToolsError("not_available", message, { hint, quotes: [] });
    },
  });
}
