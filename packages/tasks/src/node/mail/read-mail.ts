import { readableText } from "@deputy/net/readable-text";
import type { Email } from "postal-mime";
import type { MailConnection } from "./mail-connection.ts";
import {
  MAX_TEXT_CHARS,
  type MailFacts,
  mailPayload,
  type MailPayload,
  unreadableMail,
} from "./mail-payload.ts";
import { type MailOutline, outlineMail } from "./mail-structure.ts";

export interface ReadMail {
  readonly payload: MailPayload;
  readonly receivedMs: number | undefined;
  /** The number of bytes that were read. */
  readonly source: Uint8Array;
}

/** Larger ones are read in part. */
const WHOLE_BYTES = 1024 * 1024;
/** Enough for the kept text in any encoding. */
const PART_BYTES = 400_000;
const HEADER_BYTES = 100_000;
const PROBLEM = "It cannot be taken apart.";

/** Reads a mail without marking it as read. Undefined if it no longer exists. Rejects like the connection. */
export async function readMail(
  connection: Pick<MailConnection, "read">,
  uid: number,
  signal: AbortSignal,
): Promise<ReadMail | undefined> {
  const found = await connection.read(uid, { size: true, internalDate: true });
  if (found === undefined) return undefined;
  const { internalDate, size = 0 } = found;
  const receivedMs = internalDate instanceof Date ? internalDate.getTime() : undefined;
  const facts = { uid, bytes: size, receivedMs };
  if (size <= WHOLE_BYTES) {
    const whole = await connection.read(uid, { source: { maxLength: WHOLE_BYTES } });
    if (whole === undefined) return undefined;
    const source = whole.source ?? Buffer.alloc(0);
    return { payload: await readWhole(facts, source, signal), receivedMs, source };
  }
  return await readInPart(connection, facts, signal);
}

async function readWhole(facts: MailFacts, source: Buffer, signal: AbortSignal): Promise<MailPayload> {
  const mail = await parse(source);
  if (mail === undefined) {
    const head = await parse(withoutParts(headOf(source)));
    if (head === undefined) return unreadableMail(facts, PROBLEM);
    return { ...mailPayload(facts, head, { text: "", isCut: true, attachments: [] }), problem: PROBLEM };
  }
  const attachments = mail.attachments.map(({ filename, mimeType, content }) => ({
    name: filename ?? "",
    type: mimeType,
    bytes: typeof content === "string" ? content.length : content.byteLength,
  }));
  const { text, isCut } = await textOf(mail, signal);
  // The server claimed that the mail ends here, which may be wrong.
  const isPart = source.length >= WHOLE_BYTES;
  return mailPayload({ ...facts, bytes: source.length }, mail, { text, isCut: isCut || isPart, attachments });
}

function headOf(source: Buffer): Buffer {
  const end = source.indexOf("\r\n\r\n");
  return end < 0 ? source.subarray(0, HEADER_BYTES) : source.subarray(0, end);
}

async function readInPart(
  connection: Pick<MailConnection, "read">,
  facts: MailFacts,
  signal: AbortSignal,
): Promise<ReadMail | undefined> {
  const { uid, receivedMs } = facts;
  const header = { key: "HEADER", maxLength: HEADER_BYTES };
  const first = await connection.read(uid, { bodyStructure: true, bodyParts: [header] });
  if (first === undefined) return undefined;
  const outline: MailOutline =
    first.bodyStructure === undefined
      ? { text: undefined, attachments: [] }
      : outlineMail(first.bodyStructure);
  const head = first.headers ?? first.bodyParts?.get("header") ?? Buffer.alloc(0);
  const mail = await parse(withoutParts(head));
  const body = outline.text === undefined ? undefined : await readPart(connection, uid, outline.text);
  const said = body === undefined ? undefined : await parse(body);
  const { text } = said === undefined ? { text: "" } : await textOf(said, signal);
  const payload =
    mail === undefined
      ? unreadableMail(facts, PROBLEM)
      : mailPayload(facts, mail, { text, isCut: true, attachments: outline.attachments });
  return { payload, receivedMs, source: Buffer.concat([head, body ?? Buffer.alloc(0)]) };
}

async function readPart(
  connection: Pick<MailConnection, "read">,
  uid: number,
  { part, headers }: NonNullable<MailOutline["text"]>,
): Promise<Buffer | undefined> {
  const read = await connection.read(uid, { bodyParts: [{ key: part, maxLength: PART_BYTES }] });
  const bytes = read?.bodyParts?.get(part);
  return bytes === undefined ? undefined : Buffer.concat([Buffer.from(headers), bytes]);
}

/** The headers describe parts that are missing here. */
function withoutParts(head: Buffer): Buffer {
  const text = head
    .toString("latin1")
    .replaceAll(/^content-[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*(?:\r?\n|$)/gim, "");
  return Buffer.from(text, "latin1");
}

/** Undefined if it cannot be parsed. */
async function parse(source: Buffer): Promise<Email | undefined> {
  const { default: PostalMime } = await import("postal-mime");
  try {
    return await PostalMime.parse(source, { maxNestingDepth: 50, rfc822Attachments: true });
  } catch {
    return undefined;
  }
}

/** The text that a person sees: for HTML, its text without hidden parts. */
async function textOf(
  mail: Email,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly isCut: boolean }> {
  if (mail.html === undefined) {
    const text = mail.text ?? "";
    return { text: text.slice(0, MAX_TEXT_CHARS), isCut: text.length > MAX_TEXT_CHARS };
  }
  const options = { base: new URL("about:blank"), format: "markdown", maxChars: MAX_TEXT_CHARS } as const;
  const { text, truncated } = await readableText(mail.html, options, signal);
  return { text, isCut: truncated };
}
