import { makeVisible } from "@deputy/kit";

/**
 * Text of a file as a model should see it: line ends of one kind, spaces that only look different made the
 * same, and whatever a reader of the file could not have seen made visible.
 */
export function readableText(text: string): string {
  const plain = text.replace(/^\ufeff/, "").replaceAll(/\r\n?/g, "\n");
  return makeVisible(plain.replaceAll(/[\u00a0\u202f]/g, " "));
}
