import { makeVisible } from "@deputy/kit";
import { type ApprovalCard, projectCard, readEvent, readNote, type StoredEvent } from "@deputy/protocol";
import { toldByHeartbeat } from "@deputy/tasks/heartbeat";
import type { Button, Message } from "../chat-app.ts";
import { cardRuns } from "../text/card-runs.ts";
import { plainText, styledText } from "../text/styled-text.ts";

/** Something of a session that is shown in the app, under the same name whenever the session is read. */
export interface Item {
  readonly id: string;
  readonly message: Shown;
  /** `growing`: more of it comes. `open`: it will be replaced once it is decided. */
  readonly state: "growing" | "open" | "final";
}

/** A message whose file, if it has one, is still to be read. */
export interface Shown extends Omit<Message, "file"> {
  readonly attachment?: { readonly blobId: string; readonly mimeType: string; readonly name: string };
}

/** The names of items, and what their buttons say when they are pressed. */
export const itemIds = {
  answer: (itemId: string): string => `answer ${itemId}`,
  question: (approvalId: string): string => `question ${approvalId}`,
  /** All of a question, for whoever wanted to see it. */
  details: (approvalId: string): string => `details ${approvalId}`,
  /** The question that an item shows, or shows all of. */
  approvalOf: (item: string): string | undefined => /^(?:question|details) (.+)$/.exec(item)?.[1],
  other: (seq: number): string => `event ${seq}`,
  file: (seq: number, nth: number): string => `file ${seq}.${nth}`,
  /** The event that an item is of, if its name says so; infinite for others. */
  eventOf: (item: string): number => Number(/^(?:event|file) (\d+)/.exec(item)?.[1] ?? Infinity),
};

/** What an event of a session adds to what its chat shows; nothing for most. `channel` is the app's own. */
export function itemsOf(stored: StoredEvent, channel: string): readonly Item[] {
  const read = readEvent(stored);
  if (read.kind !== "known") return [];
  const { event } = read;
  const one = (text: string): readonly Item[] => [
    { id: itemIds.other(event.seq), message: { runs: styledText(text) }, state: "final" },
  ];
  switch (event.type) {
    case "assistant.message":
      return event.data.text.trim() === "" || toldByHeartbeat(event.data.text) === undefined
        ? []
        : [
            {
              id: itemIds.answer(event.data.itemId),
              message: { runs: styledText(event.data.text) },
              state: "final",
            },
          ];
    case "user.message": {
      const note = readNote(event.data);
      if (note !== undefined) return one(note.text);
      const isFromHere = event.data.channel === channel || event.data.trust !== "user";
      return isFromHere ? [] : [elsewhere(event.seq, event.data.text)];
    }
    case "approval.requested":
      return [
        {
          id: itemIds.question(event.data.approvalId),
          message: { runs: questionRuns(event.data), buttons: questionButtons(event.data.approvalId) },
          state: "open",
        },
      ];
    case "call.settled":
      return event.data.attachments.map((attachment, nth) => ({
        id: itemIds.file(event.seq, nth),
        message: { runs: plainText(makeVisible(attachment.name)), attachment },
        state: "final",
      }));
    case "turn.failed":
      return one(`It did not work: ${event.data.message}`);
    case "turn.aborted":
      return one("Stopped.");
    default:
      return [];
  }
}

/** What the user said in the same conversation on the page or in the terminal. */
function elsewhere(seq: number, text: string): Item {
  const runs = [
    { text: "You, elsewhere:\n", styles: [] },
    { text, styles: [{ kind: "quote" as const }] },
  ];
  return { id: itemIds.other(seq), message: { runs }, state: "final" };
}

/** Before the title of a question that waits. */
const ASKS = "Approve?";
/** `card`: as the daemon made it, which knows more of the question. */
type Asked = Parameters<typeof projectCard>[0] & { readonly card?: ApprovalCard | undefined };

export function questionRuns(
  asked: Asked,
  lead = ASKS,
  detail: "short" | "whole" = "short",
): Message["runs"] {
  return cardRuns(
    detail === "short" ? cardOf(asked) : { ...asked.card, ...projectCard(asked, "whole") },
    lead,
  );
}

function cardOf(asked: Asked): ApprovalCard {
  return asked.card ?? projectCard(asked);
}

export function questionButtons(approvalId: string): readonly Button[] {
  return [
    { label: "Approve", data: `yes ${approvalId}`, kind: "yes" },
    { label: "Deny", data: `no ${approvalId}`, kind: "no" },
    { label: "Details", data: `all ${approvalId}`, kind: "more" },
  ];
}

/** A question once it is decided: what was asked, and by whom it was answered. `after`: below the card, not in its place. */
export function decidedMessage(
  asked: Asked | undefined,
  decided: Decided,
  how: "in_place" | "after",
  detail: "short" | "whole" = "short",
): Message {
  const { by, reason, isExpired } = decided;
  const what = outcomeOf(asked, decided);
  const who = isExpired === true ? "" : ` by ${by}`;
  const why = reason === undefined || reason === "" ? "" : `: ${reason}`;
  const words: Message["runs"] = [{ text: what, styles: [{ kind: "bold" }] }, ...plainText(`${who}${why}`)];
  if (asked === undefined) return { runs: words };
  if (how === "after") return { runs: [...words, ...plainText(` (${cardOf(asked).title})`)] };
  return { runs: [...questionRuns(asked, `${what}:`, detail), { text: "\n\n", styles: [] }, ...words] };
}

/** Elsewhere a part of a plan can be approved. */
function outcomeOf(asked: Asked | undefined, { decision, isExpired, calls }: Decided): string {
  if (isExpired === true) return "Nobody answered in time";
  if (decision === "denied") return "Denied";
  if (calls === undefined || asked === undefined) return "Approved";
  const all = cardOf(asked).groups.reduce((sum, { count }) => sum + count, 0);
  return `${calls.length} of ${all} approved`;
}

export interface Decided {
  readonly decision: "approved" | "denied";
  readonly by: string;
  readonly reason?: string | undefined;
  readonly isExpired?: true | undefined;
  /** The calls of a plan that were approved, if not all were. */
  readonly calls?: readonly string[] | undefined;
}
