import { lookup } from "node:dns/promises";
import { abortReason } from "@deputy/kit";
import { addressKind } from "../address-kind.ts";
import { parseIpAddress } from "../address-kind.ts";
import { type Destination, judgeAddress, type Reach } from "../judge-url.ts";

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** All addresses of a name. Rejects if it has none. */
export type Resolve = (name: string) => Promise<readonly ResolvedAddress[]>;

/** Resolves names as the machine does, with its hosts file. */
export const resolveBySystem: Resolve = (name) => lookup(name, { all: true, order: "verbatim" });

/**
 * The addresses that may be connected to. One bad address refuses all: otherwise chance would decide which of
 * them answers. Rejects with `address_refused`, as `resolve` does, or with the signal's reason.
 */
export async function checkAddresses(
  resolve: Resolve,
  destination: Destination,
  reach: Reach,
  signal: AbortSignal,
): Promise<readonly ResolvedAddress[]> {
  if (destination.kind === "address")
    return [{ address: destination.address, family: destination.address.includes(":") ? 6 : 4 }];
  const found = await orAborted(resolve(destination.name), signal);
  for (const { address } of found) {
    const parsed = parseIpAddress(address);
    judgeAddress(destination.name, parsed === undefined ? "reserved" : addressKind(parsed), reach);
  }
  return found;
}

/** A resolver cannot be stopped, only ignored. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(abortReason(signal));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
