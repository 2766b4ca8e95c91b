/** The mode of an entry that is a commit of another repository. */
const GITLINK = 0o160000;
/** Times, device, inode, mode, owner and size, the object's name, flags. */
const SHA1_ENTRY = 62;
const MODE_AT = 24;

/**
 * The paths of other repositories that an index lists. Nothing where it is not understood: a version that shortens
 * paths, an index that is shared or split, one that is cut.
 */
export function readGitLinks(bytes: Uint8Array): readonly string[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12 || view.getUint32(0) !== 0x44495243) return undefined;
  const [version, count] = [view.getUint32(4), view.getUint32(8)];
  if (version !== 2 && version !== 3) return undefined;
  const links: string[] = [];
  let at = 12;
  for (let entry = 0; entry < count; entry++) {
    if (at + SHA1_ENTRY > bytes.length) return undefined;
    const isExtended = (view.getUint16(at + SHA1_ENTRY - 2) & 0x4000) !== 0;
    const name = at + SHA1_ENTRY + (isExtended ? 2 : 0);
    const end = bytes.indexOf(0, name);
    if (end <= name) return undefined;
    if (view.getUint32(at + MODE_AT) === GITLINK)
      links.push(new TextDecoder().decode(bytes.subarray(name, end)));
    // Entries are filled up with one to eight zeros to a multiple of eight.
    at += Math.ceil((end + 1 - at) / 8) * 8;
  }
  return includesText(bytes.subarray(at), "link") ? undefined : links;
}

/** An extension of this name says that there are more entries, in another file. */
function includesText(bytes: Uint8Array, text: string): boolean {
  const codes = text.split("").map((char) => char.charCodeAt(0));
  for (let at = bytes.indexOf(codes[0] ?? 0); at !== -1; at = bytes.indexOf(codes[0] ?? 0, at + 1))
    if (codes.every((code, index) => bytes[at + index] === code)) return true;
  return false;
}
