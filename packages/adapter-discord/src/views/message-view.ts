import type { Button, Message } from "@deputy/channels";
import { createElement as h, type ReactElement } from "react";
import { discordMarkdown } from "../discord-text.ts";
import { buttonIds } from "../read-dispatch.ts";

/** What a question that waits looks like from afar. */
const WAITS = 0xe8a33d;
const LOOKS = { yes: "success", no: "danger", more: "secondary" } as const;

/**
 * A message; with buttons it is a card. The ids of its buttons follow from what they do, so that they work whoever
 * made them. `id` marks the text, so that the message can be found again.
 */
export function MessageView({
  message,
  id,
}: {
  readonly message: Message;
  readonly id?: number;
}): ReactElement {
  const { runs, buttons = [] } = message;
  const text = h("d-text", id === undefined ? {} : { id }, discordMarkdown(runs));
  if (buttons.length === 0) return text;
  const row = h("d-row", {}, ...buttons.map((button) => h(ButtonView, { key: button.data, button })));
  return h("d-container", { color: WAITS }, text, row);
}

function ButtonView({ button: { label, data, kind } }: { readonly button: Button }): ReactElement {
  const customId = buttonIds.write(data, kind === "no" ? "asks" : "answers");
  return h("d-button", { customId, look: LOOKS[kind] }, label);
}

const MOST_REASON = 1_000;

/** What a form asks before a question is denied. */
export function ReasonView(): ReactElement {
  return h(
    "d-label",
    { text: "Why? Deputy is told." },
    h("d-input", { customId: "reason", maxLength: MOST_REASON }),
  );
}
