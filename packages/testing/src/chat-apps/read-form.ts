import type { IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";

/** What came with a message, as people save it. */
export interface SentFile {
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

export interface SentForm {
  readonly fields: Readonly<Record<string, string>>;
  /** By the field's name. */
  readonly files: ReadonlyMap<string, SentFile>;
}

/**
 * A form with files, `multipart/form-data`. More lenient than browsers are among each other, as services are: names
 * stand without quotes, too.
 */
export async function readForm(request: IncomingMessage): Promise<SentForm> {
  const [, boundary] = /boundary="?([^";]+)/.exec(request.headers["content-type"] ?? "") ?? [];
  if (boundary === undefined) throw new Error("The form has no boundary");
  const [first = "", ...parts] = (await buffer(request)).toString("latin1").split(`--${boundary}`);
  if (first.trim() !== "" || parts.pop()?.trim() !== "--") throw new Error("The form has no end");
  const fields: Record<string, string> = {};
  const files = new Map<string, SentFile>();
  for (const part of parts) {
    const end = part.indexOf("\r\n\r\n");
    const head = utf8(part.slice(0, end)).toString();
    const body = utf8(part.slice(end + 4, -2));
    const valueOf = (name: string): string | undefined =>
      new RegExp(`[; ]${name}=(?:"([^"]*)"|([^;\\r]*))`, "i")
        .exec(head)
        ?.slice(1)
        .find((one) => one !== undefined);
    const name = valueOf("name") ?? "";
    const filename = valueOf("filename");
    if (filename === undefined) fields[name] = body.toString();
    else {
      const mimeType = /content-type:\s*([^\r]+)/i.exec(head)?.[1] ?? "";
      files.set(name, { name: filename, mimeType, bytes: new Uint8Array(body) });
    }
  }
  return { fields, files };
}

function utf8(text: string): Buffer {
  return Buffer.from(text, "latin1");
}
