import type { Push } from "../wire/push.ts";

/**
 * For clients that only append: lets through of each `chat.delta` what was not sent before, so that
 * the texts of an item add up to its message, however pieces repeat. One per connection and stream.
 */
export function createDeltaTrimmer(): (push: Push) => Push | undefined {
  /** How much of each item of a run was sent. */
  const sent = new Map<string, Map<string, number>>();

  return (push) => {
    if (push.event === "chat.final" || push.event === "chat.error") sent.delete(push.data.runId);
    if (push.event !== "chat.delta") return push;
    const { runId, itemId, offset, text } = push.data;
    const ofRun = sent.get(runId) ?? new Map<string, number>();
    const already = ofRun.get(itemId) ?? 0;
    // Beyond a gap nothing is sent; the whole message follows when it is complete.
    if (offset > already || offset + text.length <= already) return undefined;
    sent.set(runId, ofRun.set(itemId, offset + text.length));
    return {
      event: "chat.delta",
      data: { runId, itemId, offset: already, text: text.slice(already - offset) },
    };
  };
}
