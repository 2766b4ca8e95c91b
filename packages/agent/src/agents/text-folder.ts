import { makeVisible } from "@deputy/kit";
/**
 * A directory as text, only ever read: nothing can be written through this port. Paths are relative, with
 * `/` between names (`""` is the folder itself); one that leads out of the folder, or passes through what
 * the folder does not let in, is `unreadable`. Rejects with the signal's reason, else only for a bug.
 */
export interface TextFolder {
  /** At most `maxBytes` of a file; a longer one is cut before the character that does not fit. */
  read(path: string, maxBytes: number, signal: AbortSignal): Promise<TextRead>;
  /** Lists the direct children of a folder, sorted by name, at most `limit`. */
  list(path: string, limit: number, signal: AbortSignal): Promise<FolderList>;
}

export type TextRead =
  | { readonly kind: "text"; readonly text: string; readonly isCut: boolean }
  | { readonly kind: "missing" }
  /** `why` can be shown to the user. */
  | { readonly kind: "unreadable"; readonly why: string };

export type FolderList =
  | { readonly kind: "entries"; readonly entries: readonly FolderEntry[]; readonly isCut: boolean }
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable"; readonly why: string };

export interface FolderEntry {
  readonly name: string;
  readonly kind: "file" | "folder";
}

/** The names of a path, or `undefined` for one that could lead anywhere but down. */
export function namesOf(path: string): readonly string[] | undefined {
  const names = path === "" ? [] : path.split("/");
  return names.every((name) => name !== "" && name !== "." && name !== ".." && !/[\\\0:]/.test(name))
    ? names
    : undefined;
}

/** Decodes bytes as text, for implementations of the port. A character that was cut in the middle is left out. */
export function decodeText(bytes: Uint8Array, isCut: boolean): TextRead {
  try {
    // In stream mode, the decoder holds back a character that was cut, instead of throwing.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: isCut });
    if (!text.includes("\0")) return { kind: "text", text, isCut };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  return { kind: "unreadable", why: "it is not text in UTF-8" };
}

/**
 * The text of a file as a model should see it: one kind of line end, one kind of space, and characters that a reader
 * of the file could not see made visible.
 */
export function readableText(text: string): string {
  const plain = text.replace(/^\ufeff/, "").replaceAll(/\r\n?/g, "\n");
  return makeVisible(plain.replaceAll(/[\u00a0\u202f]/g, " "));
}
