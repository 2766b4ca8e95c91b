import { dirname, resolve } from "node:path";
import { BundlesError } from "../bundles-error.ts";
import { readIfThere } from "./files.ts";

/** As `fetch`, guarded: where a request may go, and what is written down about it, is the caller's. */
export type BundleFetch = (url: string, init: RequestInit) => Promise<Response>;

/** A registry by its name, where it is (an address, or the path of a file), and the public keys that sign it. */
export interface RegistryPlace {
  readonly name: string;
  readonly at: string;
  readonly keys: readonly string[];
}

/** Where something is that a registry names: an address, or a path beside it. */
export function besideRegistry({ at }: RegistryPlace, named: string): string {
  if (isAddress(named)) return named;
  if (isAddress(at)) return new URL(named, at).href;
  return resolve(dirname(at), named);
}

export function isAddress(place: string): boolean {
  return /^https?:\/\//.test(place);
}

const MOST_DOCUMENT_BYTES = 8 * 1024 * 1024;

/** A manifest or a registry. Throws `bundle_unavailable`. */
export async function readPlace(
  place: string,
  fetch: BundleFetch,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  if (!isAddress(place)) {
    const bytes = await readIfThere(place);
    if (bytes === undefined) throw unavailable(`There is no file ${place}.`);
    return bytes;
  }
  const response = await ask(place, fetch, { signal });
  if (!response.ok) {
    await response.body?.cancel();
    throw unavailable(`${place} answered ${response.status}.`);
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.length > MOST_DOCUMENT_BYTES) throw unavailable(`${place} is too large.`);
  return bytes;
}

/** A refusal of the guarded fetch is told as it is. */
export async function ask(url: string, fetch: BundleFetch, init: RequestInit): Promise<Response> {
  return await fetch(url, { ...init, credentials: "omit" });
}

export function unavailable(message: string, cause?: unknown): BundlesError {
  return new BundlesError("bundle_unavailable", message, {
    cause,
    hint: "Nothing was installed. Try again, or bring the package yourself and name its folder with --from.",
  });
}
