import type { IpAddress } from "./ip-address.ts";

/**
 * The kind of network that an address is in. `private`: a network of the user's own. `reserved`: addresses that no
 * honest name has, such as link-local addresses (where clouds keep credentials), groups of hosts, documentation, and
 * ways to write one address inside another.
 */
export type AddressKind = "public" | "loopback" | "private" | "reserved";

type Block<Kind> = readonly [prefix: readonly number[], bits: number, kind: Kind];

/** Everything in IANA's registry of special IPv4 addresses that is not reached from everywhere; the rest is public. */
const IPV4: readonly Block<AddressKind>[] = [
  [[0, 0, 0, 0], 8, "reserved"],
  [[10, 0, 0, 0], 8, "private"],
  [[100, 64, 0, 0], 10, "private"],
  [[127, 0, 0, 0], 8, "loopback"],
  // Azure's virtual machines are served by their host there, credentials included.
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

/** The first that fits counts. What is in none of them is reserved. */
const IPV6: readonly Block<AddressKind | "ipv4">[] = [
  [[0, 0, 0, 0, 0, 0, 0, 1], 128, "loopback"],
  // Networks without IPv4 see every IPv4 address so: it is as public as the one inside.
  [[0x64, 0xff9b, 0, 0, 0, 0, 0, 0], 96, "ipv4"],
  [[0xfc00, 0, 0, 0, 0, 0, 0, 0], 7, "private"],
  // For protocols' own use; in it Teredo, which holds an IPv4 address.
  [[0x2001, 0, 0, 0, 0, 0, 0, 0], 23, "reserved"],
  [[0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32, "reserved"],
  // 6to4, which holds an IPv4 address.
  [[0x2002, 0, 0, 0, 0, 0, 0, 0], 16, "reserved"],
  [[0x3fff, 0, 0, 0, 0, 0, 0, 0], 20, "reserved"],
  [[0x2000, 0, 0, 0, 0, 0, 0, 0], 3, "public"],
];

/** Limit: a network's own prefix for IPv4 addresses inside IPv6 is not known here. */
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
