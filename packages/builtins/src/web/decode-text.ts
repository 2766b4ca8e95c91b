const BYTE_ORDER_MARKS: readonly (readonly [readonly number[], string])[] = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xfe, 0xff], "utf-16be"],
  [[0xff, 0xfe], "utf-16le"],
];
/** Browsers look this far for a page's own declaration of its encoding. */
const LOOKED_AT = 1_024;
const META = /<meta[^>]{0,500}?charset\s*=\s*["']?\s*([\w:.-]{1,40})/i;

/** The text of a body, by its mark, what the server says, or what the page says of itself; else UTF-8. Never throws. */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  const marked = BYTE_ORDER_MARKS.find(([mark]) => mark.every((byte, at) => bytes[at] === byte))?.[1];
  const said = /;\s*charset\s*=\s*"?\s*([\w:.-]{1,40})/i.exec(contentType)?.[1];
  return decoderFor(marked ?? said ?? ownCharset(bytes) ?? "utf-8").decode(bytes);
}

/** A page in UTF-16 could not say so in these letters. */
function ownCharset(bytes: Uint8Array): string | undefined {
  const beginning = new TextDecoder("latin1").decode(bytes.subarray(0, LOOKED_AT));
  const charset = META.exec(beginning)?.[1];
  return charset !== undefined && /^utf-?16/i.test(charset) ? "utf-8" : charset;
}

function decoderFor(label: string): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
