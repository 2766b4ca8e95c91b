import { z } from "zod";
import { approvalIdSchema, approvalPreviewSchema } from "../events/call-events.ts";
import type { Usage } from "../events/shared.ts";
import type { OutputItem } from "../wire/output-item.ts";
import type { StreamEvent } from "../wire/stream-event.ts";
import { describeApproval } from "../wire/approval-text.ts";

/** A run as a chat client can show it: text to append, then how it ended. */
export type AnswerPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "done"; readonly usage: Usage }
  | {
      readonly kind: "failed";
      readonly status: "failed" | "aborted";
      readonly code: string;
      readonly message: string;
    };

/**
 * One per run and reader. Everything the assistant says, in order, each message apart from the one before;
 * what waits for the user, with how to answer, and the answer. However pieces repeat, no text is said twice.
 */
export function createAnswerFeed(): (event: StreamEvent) => readonly AnswerPart[] {
  /** How much of each message was said. */
  const said = new Map<string, number>();
  const messages = new Set<string>();
  let last: string | undefined;

  const say = (id: string, offset: number, text: string): readonly AnswerPart[] => {
    const already = said.get(id) ?? 0;
    // Beyond a gap nothing is said; the whole message follows when it is complete.
    if (offset > already || offset + text.length <= already) return [];
    said.set(id, offset + text.length);
    const gap = last === undefined || last === id ? "" : "\n\n";
    last = id;
    return [{ kind: "text", text: gap + text.slice(already - offset) }];
  };

  const sayItem = (item: OutputItem): readonly AnswerPart[] => {
    if (item.type === "message") return item.role === "assistant" ? say(item.id, 0, item.text) : [];
    if (item.type === "function_call" && isApproval(item.call_id)) {
      const asked = askedSchema.safeParse(item.arguments);
      return asked.success ? say(item.id, 0, describeApproval(asked.data)) : [];
    }
    if (item.type === "function_call_output" && isApproval(item.call_id))
      return say(item.id, 0, item.status === "denied" ? "Denied." : "Approved.");
    return [];
  };

  return ({ payload }) => {
    if (payload.type === "item_start" && payload.item_type === "message") messages.add(payload.item_id);
    switch (payload.type) {
      case "item_delta":
        return messages.has(payload.item_id) ? say(payload.item_id, payload.offset, payload.text) : [];
      case "item_done":
        return sayItem(payload.final_item);
      case "response_done":
        return [{ kind: "done", usage: payload.usage }];
      case "response_error":
        return [{ kind: "failed", status: payload.status, ...payload.error }];
      default:
        return [];
    }
  };
}

/** As `projectStreamEvents` names it; no tool's call has such an id. */
const isApproval = (callId: string): boolean => callId.endsWith(":approval");

const askedSchema = z.object({
  approval_id: approvalIdSchema,
  tool_path: z.string(),
  input: z.unknown(),
  preview: approvalPreviewSchema,
});
