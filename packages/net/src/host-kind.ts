import { type AddressKind, addressKind } from "./address-kind.ts";
import { parseIpAddress } from "./ip-address.ts";

/**
 * The kind of a URL's host by its spelling: an address of some kind, a name of a private network, or any other name.
 */
export type HostKind =
  | { readonly kind: "address"; readonly address: string; readonly leadsTo: AddressKind }
  | { readonly kind: "private-name"; readonly name: string }
  | { readonly kind: "name"; readonly name: string };

const PRIVATE_NAME =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|private|home\.arpa|ip6-localhost|ip6-loopback)$/;

/**
 * Expects `hostname` as `URL` gives it, which has already converted short spellings of addresses (`127.1`,
 * `0x7f000001`, `2130706433`). A name without a dot is one of the local network. Limit: this does not resolve public
 * names.
 */
export function hostKind(hostname: string): HostKind {
  const name = hostname.toLowerCase().replace(/\.$/, "");
  const literal = name.startsWith("[") && name.endsWith("]") ? name.slice(1, -1) : name;
  const address = parseIpAddress(literal);
  if (address !== undefined) return { kind: "address", address: literal, leadsTo: addressKind(address) };
  return { kind: !name.includes(".") || PRIVATE_NAME.test(name) ? "private-name" : "name", name };
}
