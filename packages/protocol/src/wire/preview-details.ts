import { makeVisible } from "@deputy/kit";
import type { ApprovalPreview } from "../events/call-events.ts";

/**
 * What a preview says besides its title, for a client that shows the whole input as well: a tool without words of
 * its own says no more than that input, and that is not shown twice.
 */
export function previewDetails(preview: ApprovalPreview, input: unknown): string | undefined {
  const { details } = preview;
  if (details === undefined) return undefined;
  const shown = makeVisible(JSON.stringify(input, null, 2) ?? "");
  return makeVisible(details) === shown ? undefined : details;
}
