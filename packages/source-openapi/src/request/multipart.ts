import { ToolsError } from "@deputy/tools";

/** One part of a form. Only a file has a filename: servers tell files from fields by it. */
export interface FormPart {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly filename: string | undefined;
  readonly mediaType: string | undefined;
}

export interface Multipart {
  readonly contentType: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** `multipart/form-data` (RFC 7578), with names written as browsers do. Throws `request_invalid` for an invalid media type. */
export function encodeMultipart(parts: readonly FormPart[]): Multipart {
  const boundary = `deputy-${crypto.randomUUID()}`;
  const encoder = new TextEncoder();
  const pieces = parts.flatMap(({ content, ...head }) => [
    encoder.encode(`--${boundary}\r\n${headOf(head)}\r\n\r\n`),
    typeof content === "string" ? encoder.encode(content) : content,
    encoder.encode("\r\n"),
  ]);
  pieces.push(encoder.encode(`--${boundary}--\r\n`));
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return { contentType: `multipart/form-data; boundary=${boundary}`, content: whole };
}

function headOf({ name, filename, mediaType }: Omit<FormPart, "content">): string {
  const file = filename === undefined ? "" : `; filename="${quoted(filename)}"`;
  const disposition = `Content-Disposition: form-data; name="${quoted(name)}"${file}`;
  if (mediaType === undefined) return disposition;
  if (!/^[\u0020-\u007E]+$/.test(mediaType))
    throw new ToolsError("request_invalid", `The media type of ${quoted(name)} cannot be sent`);
  return `${disposition}\r\nContent-Type: ${mediaType}`;
}

function quoted(text: string): string {
  return text.replaceAll("\n", "%0A").replaceAll("\r", "%0D").replaceAll('"', "%22");
}
