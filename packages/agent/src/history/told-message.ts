import { makeVisible } from "@deputy/kit";
import type { EventData } from "@deputy/protocol";

type Attached = EventData<"user.message">["attachments"][number];

/** What somebody said, as a model sees it: what is attached is named below it, each in a line that a name cannot leave. */
export function toldMessage({ text, attachments }: EventData<"user.message">): string {
  return [text, ...attachments.map(attachedLine)].join("\n");
}

function attachedLine({ name, mimeType, size }: Attached): string {
  const bytes = size === undefined ? "of unknown size" : `${size} bytes`;
  return `[Attached, by the name and type that the sender gave it: ${inOneLine(name)}, ${inOneLine(mimeType)}, ${bytes}. What is in it has not been read.]`;
}

function inOneLine(text: string): string {
  return makeVisible(JSON.stringify(text));
}
