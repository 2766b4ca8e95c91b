import { BundlesError } from "../bundles-error.ts";

const BLOCK = 512;

/** One file of a tar archive (ustar, with GNU's and pax's long names); undefined if there is none of that path. */
export function findInTar(
  archive: Uint8Array<ArrayBuffer>,
  path: string,
): Uint8Array<ArrayBuffer> | undefined {
  let longName: string | undefined;
  for (let at = 0; at + BLOCK <= archive.length;) {
    const header = archive.subarray(at, at + BLOCK);
    if (header.every((byte) => byte === 0)) return undefined;
    const size = Number.parseInt(textOf(header, 124, 12).trim() || "0", 8);
    const end = at + BLOCK + size;
    if (!Number.isSafeInteger(size) || size < 0 || end > archive.length)
      throw new BundlesError("bundle_invalid", "An archive of the bundle is cut off.");
    const body = archive.subarray(at + BLOCK, end);
    const type = String.fromCharCode(header[156] ?? 0);
    if (type === "L") longName = textOf(body, 0, body.length);
    else if (type === "x") longName = paxPath(body) ?? longName;
    else if (type !== "g") {
      const prefix = textOf(header, 345, 155);
      const name = longName ?? `${prefix === "" ? "" : `${prefix}/`}${textOf(header, 0, 100)}`;
      if (name === path && (type === "0" || type === "\0")) return body.slice();
      longName = undefined;
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return undefined;
}

function textOf(bytes: Uint8Array, at: number, length: number): string {
  const field = bytes.subarray(at, at + length);
  const end = field.indexOf(0);
  return new TextDecoder().decode(end === -1 ? field : field.subarray(0, end));
}

/** Records are `LENGTH NAME=VALUE\n`. */
function paxPath(body: Uint8Array): string | undefined {
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(new TextDecoder().decode(body))?.[1];
}
