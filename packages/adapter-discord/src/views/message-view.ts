import type { Button, Message, PostedFile } from "@deputy/channels";
import { createElement as h, Fragment, type ReactElement } from "react";
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
  const { runs, buttons = [], file } = message;
  const text = h("d-text", id === undefined ? {} : { id }, discordMarkdown(runs));
  if (file !== undefined) return h(Fragment, {}, text, h(FileView, { file }));
  if (buttons.length === 0) return text;
  const row = h("d-row", {}, ...buttons.map((button) => h(ButtonView, { key: button.data, button })));
  return h("d-container", { color: WAITS }, text, row);
}

function ButtonView({ button: { label, data, kind } }: { readonly button: Button }): ReactElement {
  const customId = buttonIds.write(data, kind === "no" ? "asks" : "answers");
  return h("d-button", { customId, look: LOOKS[kind] }, label);
}

/** Pictures are shown, anything else can be saved. What comes with the message is meant by its name there. */
function FileView({ file: { name, mimeType } }: { readonly file: PostedFile }): ReactElement {
  const url = `attachment://${uploadName(name)}`;
  return h(PICTURES.test(mimeType) ? "d-picture" : "d-file", { url });
}

const PICTURES = /^image\/(?:png|jpeg|webp|gif)$/;

/** Discord changes any other name, and what means it would mean nothing. */
export function uploadName(name: string): string {
  return name.replaceAll(/[^\w.-]/g, "_").slice(-100) || "file";
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
