/** An address as numbers: four bytes of IPv4, eight groups of IPv6. */
export type IpAddress =
  | { readonly family: 4; readonly bytes: readonly number[] }
  | { readonly family: 6; readonly groups: readonly number[] };

const DECIMAL_BYTE = /^(?:0|[1-9]\d{0,2})$/;
const GROUP = /^[\da-f]{1,4}$/i;
const GROUPS = 8;

/**
 * Parses an address as resolvers and URLs write it; undefined when it is not an address. Limit: IPv4 only as four
 * decimal numbers, to which a URL converts every other spelling; IPv6 without a zone.
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  const bytes = parseIpv4(text);
  if (bytes !== undefined) return { family: 4, bytes };
  const groups = parseIpv6(text);
  return groups === undefined ? undefined : { family: 6, groups };
}

function parseIpv4(text: string): readonly number[] | undefined {
  const parts = text.split(".", GROUPS);
  if (parts.length !== 4 || !parts.every((part) => DECIMAL_BYTE.test(part))) return undefined;
  const bytes = parts.map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : undefined;
}

function parseIpv6(text: string): readonly number[] | undefined {
  const [head = "", tail, ...more] = text.split("::");
  if (more.length > 0) return undefined;
  const before = parseGroups(head, tail === undefined);
  if (tail === undefined) return before?.length === GROUPS ? before : undefined;
  const after = parseGroups(tail, true);
  if (before === undefined || after === undefined || before.length + after.length >= GROUPS) return undefined;
  return [...before, ...Array<number>(GROUPS - before.length - after.length).fill(0), ...after];
}

/** Groups between colons; only at the end of an address may four bytes stand for two of them. */
function parseGroups(text: string, isEnd: boolean): readonly number[] | undefined {
  if (text === "") return [];
  const parts = text.split(":", GROUPS + 1);
  const last = isEnd ? parseIpv4(parts.at(-1) ?? "") : undefined;
  if (last !== undefined) parts.pop();
  if (!parts.every((part) => GROUP.test(part))) return undefined;
  const groups = parts.map((part) => Number.parseInt(part, 16));
  const [a = 0, b = 0, c = 0, d = 0] = last ?? [];
  return last === undefined ? groups : [...groups, a * 256 + b, c * 256 + d];
}
