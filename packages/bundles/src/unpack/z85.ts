import { BundlesError } from "../bundles-error.ts";

const LETTERS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";

/** The bytes that a text in Z85 stands for, with up to three more at the end. */
export function decodeZ85(text: string): Uint8Array<ArrayBuffer> {
  const values = new Map(LETTERS.split("").map((letter, value) => [letter, value]));
  const bytes = new Uint8Array((text.length / 5) * 4);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < text.length; at += 5) {
    let group = 0;
    for (const letter of text.slice(at, at + 5)) {
      const value = values.get(letter);
      if (value === undefined) throw new BundlesError("bundle_invalid", "A text of the bundle is not Z85.");
      group = group * 85 + value;
    }
    view.setUint32((at / 5) * 4, group >>> 0);
  }
  return bytes;
}

/** The longest text between double quotes in a script, which is read and never run. */
export function longestText(script: string): string {
  let longest = "";
  for (const [, text = ""] of script.matchAll(/"([^"\\\n]*)"/g))
    if (text.length > longest.length) longest = text;
  return longest;
}
