import { makeVisible } from "@deputy/kit";

/**
 * The text of a file as a model should see it: one kind of line end, one kind of space, and characters that a reader
 * of the file could not see made visible.
 */
export function readableText(text: string): string {
  const plain = text.replace(/^\ufeff/, "").replaceAll(/\r\n?/g, "\n");
  return makeVisible(plain.replaceAll(/[\u00a0\u202f]/g, " "));
}
