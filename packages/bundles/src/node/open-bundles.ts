import { type PreparedModule, prepareModule } from "@deputy/wasi";
import { BUNDLE_FILES, type BundledPrograms, commandsOf } from "../bundled-programs.ts";
import { BundlesError } from "../bundles-error.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { verifyBytes, verifyManifest } from "../verify.ts";
import type { BundleStore, InstalledRecord } from "./bundle-store.ts";
import type { RegistryPlace } from "./place.ts";
import { knownRegistry } from "./registries.ts";

/** An installed bundle, and whether it may be used now. */
export type BundleState =
  | { readonly kind: "ready"; readonly record: InstalledRecord; readonly manifest: Manifest }
  | { readonly kind: "refused"; readonly record: InstalledRecord; readonly why: unknown };

/** Checks the registry, the revocations and the manifest of each installed bundle as they are now. */
export async function readInstalled(
  store: BundleStore,
  places: readonly RegistryPlace[],
): Promise<readonly BundleState[]> {
  const states: BundleState[] = [];
  for (const record of await store.installed()) {
    try {
      states.push({ kind: "ready", record, manifest: await verifyInstalled(record, store, places) });
    } catch (why) {
      states.push({ kind: "refused", record, why });
    }
  }
  return states;
}

async function verifyInstalled(
  { registry: name, manifest: sha256, ...bundle }: InstalledRecord,
  store: BundleStore,
  places: readonly RegistryPlace[],
): Promise<Manifest> {
  const place = places.find((one) => one.name === name);
  if (place === undefined)
    throw new BundlesError(
      "bundle_untrusted",
      `${bundle.name} is from the registry ${name}, which the settings do not name any more.`,
    );
  const registry = await knownRegistry(place, store);
  const bytes = await store.readFile(sha256);
  if (bytes === undefined) throw missing(bundle.name);
  return await verifyManifest(bytes, { ...bundle, sha256 }, registry);
}

/** Every file of an installed bundle, as it lies on the disk now. Throws a `BundlesError`. */
export async function verifyFiles(manifest: Manifest, store: BundleStore): Promise<void> {
  for (const file of manifest.files) await readVerified(manifest, file.name, store);
}

/** One file, checked. Throws `bundle_tampered` or `bundle_unavailable`. */
export async function readVerified(
  { name, files }: Manifest,
  fileName: string,
  store: BundleStore,
): Promise<Uint8Array<ArrayBuffer>> {
  const file = files.find((one) => one.name === fileName);
  const bytes = file === undefined ? undefined : await store.readFile(file.sha256);
  if (file === undefined || bytes === undefined) throw missing(name);
  await verifyBytes(bytes, file, `${fileName} of ${name}`);
  return bytes;
}

/** A bundle whose manifest, and the files that programs find, are as they were signed. */
interface Ready {
  readonly manifest: Manifest;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** Installed bundles for a shell: looked at anew for each script; a program is compiled once. */
export function openBundledPrograms(
  store: BundleStore,
  places: readonly RegistryPlace[],
  warn: (why: unknown, bundle: string) => void,
): BundledPrograms {
  const prepared = new Map<string, Promise<PreparedModule>>();
  const told = new Set<string>();
  const refuse = (why: unknown, name: string): void => {
    if (told.has(name)) return;
    told.add(name);
    warn(why, name);
  };
  const ready = async (): Promise<readonly Ready[]> => {
    const found: Ready[] = [];
    for (const one of await readInstalled(store, places))
      try {
        if (one.kind === "refused") throw one.why;
        const files = new Map<string, Uint8Array>();
        for (const name of one.manifest.provides)
          files.set(
            `${BUNDLE_FILES}/${one.manifest.name}/${name}`,
            await readVerified(one.manifest, name, store),
          );
        found.push({ manifest: one.manifest, files });
      } catch (why) {
        refuse(why, one.record.name);
      }
    return found;
  };
  const read = async (sha256: string) => {
    for (const { manifest } of await ready()) {
      const file = manifest.files.find((one) => one.sha256 === sha256);
      const command = manifest.commands.find(({ module }) => module === file?.name);
      if (file === undefined || command === undefined) continue;
      const bytes = await readVerified(manifest, file.name, store);
      return { bytes, maxMemoryBytes: command.limits.memoryBytes };
    }
    throw missing("A bundle");
  };
  const prepare = async (sha256: string): Promise<PreparedModule> => {
    const { bytes, ...rules } = await read(sha256);
    return await prepareModule(bytes, rules);
  };
  return {
    async read() {
      const all = await ready();
      return {
        commands: all.flatMap(({ manifest }) => commandsOf(manifest)),
        files: new Map(all.flatMap(({ files }) => Array.from(files))),
      };
    },
    bytes: read,
    async module(sha256) {
      const module = prepared.get(sha256) ?? prepare(sha256);
      prepared.set(sha256, module);
      module.catch(() => prepared.delete(sha256));
      return await module;
    },
  };
}

function missing(name: string): BundlesError {
  return new BundlesError("bundle_unavailable", `${name} is not complete: a file of it is gone.`, {
    hint: "`deputy bundles add` brings it again.",
  });
}
