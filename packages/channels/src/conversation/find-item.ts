import type { SessionId } from "@deputy/kit";
import type { PendingApproval, StoredEvent } from "@deputy/protocol";
import type { Message } from "../chat-app.ts";
import type { Door } from "../door.ts";
import { type Item, itemIds, itemsOf, questionButtons, questionRuns } from "./session-items.ts";

const PAGE_EVENTS = 500;
const MOST_PAGES = 20;

/** An item by its name: from its session, or a question that waits anywhere. Undefined if it is not there any more. */
export async function findItem(
  door: Pick<Door, "call">,
  { stream, channel, wanted }: { stream: SessionId; channel: string; wanted: string },
  signal: AbortSignal,
): Promise<Item | undefined> {
  let earlier: number | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const params = { stream, limit: PAGE_EVENTS, ...(earlier === undefined ? {} : { before: earlier }) };
    const { events, hasMore } = await door.call("events.page", params, "safe_to_repeat", signal);
    const items = events.flatMap((event) => itemsOf(event as StoredEvent, channel));
    const found = items.find(({ id }) => id === wanted);
    earlier = events[0]?.seq;
    if (found !== undefined) return found;
    if (!hasMore || earlier === undefined) break;
  }
  const { approvals } = await door.call("exec.pending", {}, "safe_to_repeat", signal);
  const waiting = approvals.find(({ id }) => itemIds.question(id) === wanted);
  return waiting === undefined
    ? undefined
    : {
        id: wanted,
        message: { runs: questionRuns(waiting), buttons: questionButtons(waiting.id) },
        state: "open",
      };
}

/** All of what is asked, with every argument. */
export function wholeCard(asked: PendingApproval): Message {
  return {
    runs: questionRuns(asked, undefined, "whole"),
    buttons: questionButtons(asked.id).filter(({ kind }) => kind !== "more"),
  };
}
