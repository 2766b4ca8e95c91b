import { ToolsError } from "@deputy/tools";
import type { AddressKind } from "./address-kind.ts";
import { BAD_PORTS } from "./bad-ports.ts";
import { hostKind } from "./host-kind.ts";

/** What of a network may be reached. `own`: also private networks and this machine, since the user named the origin. */
export type Reach = "public" | "own";

/** Where a request is to connect to. */
export type Destination =
  | { readonly kind: "address"; readonly address: string }
  /** Its addresses are to be checked, all of them, with `judgeAddress`. */
  | { readonly kind: "name"; readonly name: string };

/** What can be said of a URL before its name is resolved. Throws `address_refused`. */
export function judgeUrl(url: URL, reach: Reach): Destination {
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw refused(`${url.protocol} is not http or https`, [url.protocol]);
  if (url.username !== "" || url.password !== "")
    throw refused("The address holds a name or a password, which would be in every log", []);
  if (url.port !== "" && BAD_PORTS.has(Number(url.port)))
    throw refused(`Port ${url.port} is one of another service`, [url.port]);
  const host = hostKind(url.hostname);
  if (host.kind === "address") {
    judgeAddress(url.hostname, host.leadsTo, reach);
    return { kind: "address", address: host.address };
  }
  if (host.kind === "private-name" && reach === "public")
    throw refused(`${url.hostname} is a name of a private network`, [url.hostname]);
  return { kind: "name", name: host.name };
}

/** Throws `address_refused`. Limit: what is reserved stays refused, whoever named it. */
export function judgeAddress(host: string, kind: AddressKind, reach: Reach): void {
  if (kind === "public" || (reach === "own" && kind !== "reserved")) return;
  const place = { loopback: "this machine", private: "a private network", reserved: "a reserved address" }[
    kind
  ];
  throw refused(`${host} leads to ${place}`, [host]);
}

/** `quotes` as of a `ToolsError`. */
export function refused(why: string, quotes?: readonly string[]): ToolsError {
  return new ToolsError("address_refused", why, {
    quotes,
    hint: "If it is a server of yours, name its origin in the settings.",
  });
}
