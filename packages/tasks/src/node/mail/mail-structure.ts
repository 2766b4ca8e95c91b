import type { MessageStructureObject } from "imapflow";
import type { MailAttachment } from "./mail-payload.ts";

/** The part of a mail with its text, and its encoding. */
export interface TextPart {
  /** The server's number for the part. */
  readonly part: string;
  /** Headers that let it be parsed by itself. */
  readonly headers: string;
}

export interface MailOutline {
  readonly text: TextPart | undefined;
  readonly attachments: readonly MailAttachment[];
}

const PLAIN = /^[\w.:+-]{1,60}$/;
/** How much longer base64 makes a text, with its line ends. */
const BASE64_GROWTH = 1.37;
const MAX_PARTS = 1_000;

/** The parts of a large mail, without reading them. HTML is preferred to plain text, because people see the HTML. */
export function outlineMail(root: MessageStructureObject): MailOutline {
  const leaves: MessageStructureObject[] = [];
  const waiting = [root];
  for (let node = waiting.pop(); node !== undefined && leaves.length < MAX_PARTS; node = waiting.pop()) {
    // A mail within the mail is an attachment, whatever it contains.
    if (node.childNodes === undefined || node.type === "message/rfc822") leaves.push(node);
    else waiting.push(...node.childNodes.toReversed());
  }
  const texts = leaves.filter(isText);
  const chosen = texts.find(({ type }) => type === "text/html") ?? texts[0];
  return {
    text: chosen === undefined ? undefined : { part: chosen.part ?? "1", headers: headersOf(chosen) },
    attachments: leaves.filter((leaf) => !isText(leaf)).map(describe),
  };
}

function isText({ type, disposition }: MessageStructureObject): boolean {
  return /^text\/(?:plain|html)$/.test(type) && disposition !== "attachment";
}

/** Only values known to be harmless: others could be headers that the sender made up. */
function headersOf({ type, parameters, encoding }: MessageStructureObject): string {
  const charset = parameters?.["charset"] ?? "";
  const said = PLAIN.test(charset) ? `; charset="${charset}"` : "";
  const encoded = PLAIN.test(encoding ?? "") ? `\r\nContent-Transfer-Encoding: ${encoding}` : "";
  return `Content-Type: ${type}${said}${encoded}\r\n\r\n`;
}

function describe(leaf: MessageStructureObject): MailAttachment {
  const name = leaf.dispositionParameters?.["filename"] ?? leaf.parameters?.["name"] ?? "";
  const written = leaf.size ?? 0;
  return {
    name,
    type: leaf.type,
    bytes: leaf.encoding === "base64" ? Math.floor(written / BASE64_GROWTH) : written,
  };
}
