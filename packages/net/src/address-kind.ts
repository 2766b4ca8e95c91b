/** An address as numbers: four bytes of IPv4, eight groups of IPv6. */
type IpAddress =
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

/** Groups between colons; four bytes may stand for two groups only at the end of an address. */
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

/**
 * The kind of network that an address is in. `private`: a network of the user's own. `reserved`: addresses that no
 * honest name has, such as link-local addresses (where clouds keep credentials), groups of hosts, documentation, and
 * ways to write one address inside another.
 */
export type AddressKind = "public" | "loopback" | "private" | "reserved";

type Block<Kind> = readonly [prefix: readonly number[], bits: number, kind: Kind];

/** IANA's special IPv4 addresses that are not globally reachable; all others are public. */
const IPV4: readonly Block<AddressKind>[] = [
  [[0, 0, 0, 0], 8, "reserved"],
  [[10, 0, 0, 0], 8, "private"],
  [[100, 64, 0, 0], 10, "private"],
  [[127, 0, 0, 0], 8, "loopback"],
  // Azure's hosts serve their virtual machines here, credentials included.
  [[168, 63, 129, 16], 32, "reserved"],
  [[169, 254, 0, 0], 16, "reserved"],
  [[172, 16, 0, 0], 12, "private"],
  [[192, 0, 0, 0], 24, "reserved"],
  [[192, 0, 2, 0], 24, "reserved"],
  [[192, 88, 99, 0], 24, "reserved"],
  [[192, 168, 0, 0], 16, "private"],
  [[198, 18, 0, 0], 15, "reserved"],
  [[198, 51, 100, 0], 24, "reserved"],
  [[203, 0, 113, 0], 24, "reserved"],
  [[224, 0, 0, 0], 3, "reserved"],
];

/** The first match counts. An address outside all of them is reserved. */
const IPV6: readonly Block<AddressKind | "ipv4">[] = [
  [[0, 0, 0, 0, 0, 0, 0, 1], 128, "loopback"],
  // Networks without IPv4 see every IPv4 address in this form: it is as public as the one inside.
  [[0x64, 0xff9b, 0, 0, 0, 0, 0, 0], 96, "ipv4"],
  [[0xfc00, 0, 0, 0, 0, 0, 0, 0], 7, "private"],
  // For protocol use; it includes Teredo, which contains an IPv4 address.
  [[0x2001, 0, 0, 0, 0, 0, 0, 0], 23, "reserved"],
  [[0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32, "reserved"],
  // 6to4, which contains an IPv4 address.
  [[0x2002, 0, 0, 0, 0, 0, 0, 0], 16, "reserved"],
  [[0x3fff, 0, 0, 0, 0, 0, 0, 0], 20, "reserved"],
  [[0x2000, 0, 0, 0, 0, 0, 0, 0], 3, "public"],
];

/** Limit: a network's own prefix for IPv4 addresses inside IPv6 is unknown here. */
export function addressKind(address: IpAddress): AddressKind {
  if (address.family === 4) return ipv4Kind(address.bytes);
  const { groups } = address;
  const kind = IPV6.find(([prefix, bits]) => isWithin(groups, prefix, bits, 16))?.[2] ?? "reserved";
  if (kind === "ipv4") return ipv4Kind(groups.slice(6).flatMap((group) => [group >> 8, group & 255]));
  return kind === "public" && isIsatap(groups) ? "reserved" : kind;
}

function ipv4Kind(bytes: readonly number[]): AddressKind {
  return IPV4.find(([prefix, bits]) => isWithin(bytes, prefix, bits, 8))?.[2] ?? "public";
}

/** A tunnel to the IPv4 address at its end, in any network. */
function isIsatap(groups: readonly number[]): boolean {
  return groups[5] === 0x5efe && (groups[4] === 0 || groups[4] === 0x200);
}

function isWithin(
  parts: readonly number[],
  prefix: readonly number[],
  bits: number,
  partBits: number,
): boolean {
  return prefix.every((part, at) => {
    const counted = Math.min(Math.max(bits - at * partBits, 0), partBits);
    const shift = partBits - counted;
    return (parts[at] ?? 0) >> shift === part >> shift;
  });
}
