import { BundlesError } from "../bundles-error.ts";
import { readPublicKey } from "../signed/keys.ts";
import { tampered } from "../signed/signed-document.ts";
import { type Registry, verifyRegistry } from "../verify.ts";
import type { BundleStore } from "./bundle-store.ts";
import { readIfThere } from "./files.ts";
import { type BundleFetch, isAddress, readPlace, type RegistryPlace } from "./place.ts";

/** A registry as it is at its place now; what it says is kept. An older one than is known is refused. */
export async function refreshRegistry(
  place: RegistryPlace,
  deps: { readonly store: BundleStore; readonly fetch: BundleFetch },
  signal: AbortSignal,
): Promise<Registry> {
  const bytes = await readPlace(place.at, deps.fetch, signal);
  const registry = await verify(place, bytes);
  const known = await deps.store.readRegistry(place.name);
  if (known !== undefined) {
    const before = await verify(place, known).catch(() => undefined);
    if (before !== undefined && before.file.serial > registry.file.serial)
      throw new BundlesError(
        "bundle_expired",
        `${titleOf(place)} is older than what is known of it (${registry.file.serial}, and ${before.file.serial} was seen).`,
        { hint: "Somebody may be hiding what it took back. Ask whoever publishes it." },
      );
  }
  await deps.store.writeRegistry(place.name, bytes);
  return registry;
}

/**
 * A registry without asking anybody: as it lies on this machine, and as it was last seen; the newer one counts.
 * Throws `bundle_unknown` if it was never seen, or why it cannot be used.
 */
export async function knownRegistry(place: RegistryPlace, store: BundleStore): Promise<Registry> {
  const files = [
    isAddress(place.at) ? undefined : await readIfThere(place.at),
    await store.readRegistry(place.name),
  ].filter((bytes) => bytes !== undefined);
  const [first, ...others] = await Promise.all(files.map((bytes) => verify(place, bytes)));
  if (first === undefined)
    throw new BundlesError("bundle_unknown", `Nothing is known of ${titleOf(place)}.`, {
      hint: "`deputy bundles update` reads it.",
    });
  return others.find(({ file }) => file.serial > first.file.serial) ?? first;
}

async function verify(place: RegistryPlace, bytes: Uint8Array): Promise<Registry> {
  const keys = await Promise.all(place.keys.map(readPublicKey));
  const registry = await verifyRegistry(bytes, keys, titleOf(place));
  if (registry.file.name !== place.name) throw tampered(titleOf(place), "it is another registry");
  return registry;
}

export function titleOf({ name }: RegistryPlace): string {
  return `The registry ${name}`;
}
