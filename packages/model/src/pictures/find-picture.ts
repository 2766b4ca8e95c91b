import type { FoundPicture } from "../model.ts";

/** Reads what a picture is and how large, from its first bytes; undefined if it is none that models take. */
export function findPicture(bytes: Uint8Array): FoundPicture | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const found = findPng(view) ?? findGif(view) ?? findWebp(view) ?? findJpeg(view);
    if (found === undefined || found.width < 1 || found.height < 1) return undefined;
    return { ...found, bytes: bytes.length };
  } catch (error) {
    // It ends before its size is told.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

type Size = Omit<FoundPicture, "bytes">;

function textAt(view: DataView, at: number, length: number): string {
  return String.fromCharCode(...Array.from({ length }, (_, n) => view.getUint8(at + n)));
}

function findPng(view: DataView): Size | undefined {
  if (textAt(view, 0, 8) !== "\x89PNG\r\n\x1a\n") return undefined;
  return { mediaType: "image/png", width: view.getUint32(16), height: view.getUint32(20) };
}

function findGif(view: DataView): Size | undefined {
  if (!/^GIF8[79]a$/.test(textAt(view, 0, 6))) return undefined;
  return { mediaType: "image/gif", width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function findWebp(view: DataView): Size | undefined {
  if (textAt(view, 0, 4) !== "RIFF" || textAt(view, 8, 4) !== "WEBP") return undefined;
  const mediaType = "image/webp";
  switch (textAt(view, 12, 4)) {
    case "VP8 ":
      return {
        mediaType,
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
      };
    case "VP8L": {
      const bits = view.getUint32(21, true);
      return { mediaType, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case "VP8X": {
      const at = (place: number): number =>
        view.getUint16(place, true) + (view.getUint8(place + 2) << 16) + 1;
      return { mediaType, width: at(24), height: at(27) };
    }
    default:
      return undefined;
  }
}

/** Its size is in the first frame header, behind segments of any length. */
function findJpeg(view: DataView): Size | undefined {
  if (view.getUint16(0) !== 0xffd8) return undefined;
  for (let at = 2; ;) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame)
      return { mediaType: "image/jpeg", height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2;
    else at += 2 + Math.max(2, view.getUint16(at + 2));
  }
}
