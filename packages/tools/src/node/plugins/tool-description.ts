import type { CatalogueTool } from "../../catalogue.ts";
import type { ToolDescription } from "./host-messages.ts";

/** What of a tool is data. */
export function describeTool(tool: CatalogueTool): ToolDescription {
  const says = [
    ...(tool.termsOf === undefined ? [] : ["terms" as const]),
    ...(tool.circumstancesOf === undefined ? [] : ["circumstances" as const]),
    ...(tool.sourceOf === undefined ? [] : ["source" as const]),
  ];
  const { path, description, approval, effect, presumed, idempotent, critical, grantable } = tool;
  const { trust, credentials, limits, examples, inputSchema, outputSchema } = tool;
  const data = { path, description, approval, effect, presumed, idempotent, critical, grantable };
  // As JSON: an example or a schema's default may hold what does not cross.
  return JSON.parse(
    JSON.stringify({ ...data, trust, credentials, limits, examples, inputSchema, outputSchema, says }),
  ) as ToolDescription;
}
