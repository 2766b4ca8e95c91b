import { ToolsError } from "@deputy/tools";
import { type AddressKind, addressKind } from "./address-kind.ts";
import { parseIpAddress } from "./address-kind.ts";

/** Ports of services that could mistake a web request for their own protocol: the list of the Fetch standard. */
const BAD_PORTS: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/**
 * The networks that may be reached. `own`: also private networks and this machine, because the user named the origin.
 */
export type Reach = "public" | "own";

/** Where a request connects to. */
export type Destination =
  | { readonly kind: "address"; readonly address: string }
  /** All of its addresses must be checked with `judgeAddress`. */
  | { readonly kind: "name"; readonly name: string };

/** Judges a URL before its name is resolved. Throws `address_refused`. */
export function judgeUrl(url: URL, reach: Reach): Destination {
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw refused(`${url.protocol} is not http or https`, [url.protocol]);
  if (url.username !== "" || url.password !== "")
    throw refused("The address holds a name or a password, which would be in every log", []);
  if (url.port !== "" && BAD_PORTS.has(Number(url.port)))
    throw refused(`Port ${url.port} belongs to another service`, [url.port]);
  const host = hostKind(url.hostname);
  if (host.kind === "address") {
    judgeAddress(url.hostname, host.leadsTo, reach);
    return { kind: "address", address: host.address };
  }
  if (host.kind === "private-name" && reach === "public")
    throw refused(`${url.hostname} is a name of a private network`, [url.hostname]);
  return { kind: "name", name: host.name };
}

/** Throws `address_refused`. Limit: reserved addresses are always refused, even if the user named them. */
export function judgeAddress(host: string, kind: AddressKind, reach: Reach): void {
  if (kind === "public" || (reach === "own" && kind !== "reserved")) return;
  const place = { loopback: "this machine", private: "a private network", reserved: "a reserved address" }[
    kind
  ];
  throw refused(`${host} leads to ${place}`, [host]);
}

/** `quotes` as in a `ToolsError`. */
export function refused(why: string, quotes?: readonly string[]): ToolsError {
  return new ToolsError("address_refused", why, {
    quotes,
    hint: "If it is a server of yours, name its origin in the settings.",
  });
}

/**
 * The kind of a URL's host by its spelling: an address of some kind, a name of a private network, or any other name.
 */
type HostKind =
  | { readonly kind: "address"; readonly address: string; readonly leadsTo: AddressKind }
  | { readonly kind: "private-name"; readonly name: string }
  | { readonly kind: "name"; readonly name: string };

const PRIVATE_NAME =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|private|home\.arpa|ip6-localhost|ip6-loopback)$/;

/**
 * Expects `hostname` as `URL` gives it, which has already converted short spellings of addresses (`127.1`,
 * `0x7f000001`, `2130706433`). A name without a dot belongs to the local network. Limit: this does not
 * resolve public names.
 */
export function hostKind(hostname: string): HostKind {
  const name = hostname.toLowerCase().replace(/\.$/, "");
  const literal = name.startsWith("[") && name.endsWith("]") ? name.slice(1, -1) : name;
  const address = parseIpAddress(literal);
  if (address !== undefined) return { kind: "address", address: literal, leadsTo: addressKind(address) };
  return { kind: !name.includes(".") || PRIVATE_NAME.test(name) ? "private-name" : "name", name };
}
