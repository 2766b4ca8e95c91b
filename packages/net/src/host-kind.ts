import { type AddressKind, addressKind } from "./address-kind.ts";
import { parseIpAddress } from "./ip-address.ts";

/** What a URL's host is by its looks: an address of some kind, a name of a private network, or any other name. */
export type HostKind =
  | { readonly kind: "address"; readonly address: string; readonly leadsTo: AddressKind }
  | { readonly kind: "private-name"; readonly name: string }
  | { readonly kind: "name"; readonly name: string };

const PRIVATE_NAME =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|private|home\.arpa|ip6-localhost|ip6-loopback)$/;

/**
 * `hostname` as `URL` gives it: short spellings of addresses (`127.1`, `0x7f000001`, `2130706433`) are read by then.
 * A name without a dot is one of the local network. Limit: where a public name leads is for whoever resolves it.
 */
export function hostKind(hostname: string): HostKind {
  const name = hostname.toLowerCase().replace(/\.$/, "");
  const literal = name.startsWith("[") && name.endsWith("]") ? name.slice(1, -1) : name;
  const address = parseIpAddress(literal);
  if (address !== undefined) return { kind: "address", address: literal, leadsTo: addressKind(address) };
  return { kind: !name.includes(".") || PRIVATE_NAME.test(name) ? "private-name" : "name", name };
}
