import { WorkspaceError } from "./workspace-error.ts";

/** Bytes as text, or `undefined` if they are not text: not UTF-8, or with a zero byte. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Throws `not_text`. */
export function requireText(path: string, bytes: Uint8Array): string {
  const text = decodeText(bytes);
  if (text !== undefined) return text;
  throw new WorkspaceError("not_text", `${path} is not text in UTF-8`);
}

export function encodeText(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
