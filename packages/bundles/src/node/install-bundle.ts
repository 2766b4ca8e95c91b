import { readFile, rm } from "node:fs/promises";
import { prepareModule } from "@deputy/wasi";
import { BundlesError } from "../bundles-error.ts";
import type { Manifest, ManifestSource } from "../manifest/manifest.ts";
import type { RegistryEntry } from "../manifest/registry-file.ts";
import { assertFresh, type Registry, verifyBytes, verifyManifest } from "../verify.ts";
import type { BundleStore } from "./bundle-store.ts";
import { download } from "./download.ts";
import {
  besideRegistry,
  type BundleFetch,
  isAddress,
  readPlace,
  type RegistryPlace,
  unavailable,
} from "./place.ts";
import { refreshRegistry, titleOf } from "./registries.ts";
import { archiveFiles, findLocally, readNpmName, type SourceFiles, takeFile } from "./source-files.ts";

export interface InstallDeps {
  readonly store: BundleStore;
  readonly fetch: BundleFetch;
  readonly nowMs: () => number;
  /** Folders where sources may lie already. */
  readonly folders: readonly string[];
  /** The registry of npm packages; undefined where nobody knows one. */
  readonly npm: string | undefined;
  readonly onProgress: (source: string, done: number, total: number) => void;
}

/** What `find` found: an entry of the first registry that has the name. */
export interface FoundBundle {
  readonly place: RegistryPlace;
  readonly registry: Registry;
  readonly entry: RegistryEntry;
}

/** `name`, `name@version` or `registry/name`. Throws `bundle_unknown`, or why a registry cannot be used. */
export async function findBundle(
  wanted: string,
  places: readonly RegistryPlace[],
  deps: Pick<InstallDeps, "store" | "fetch" | "nowMs">,
  signal: AbortSignal,
): Promise<FoundBundle> {
  const [, only, name = "", version] = /^(?:([^/]+)\/)?([^@]+)(?:@(.+))?$/.exec(wanted) ?? [];
  for (const place of places) {
    if (only !== undefined && place.name !== only) continue;
    const registry = await refreshRegistry(place, deps, signal);
    const entry = registry.file.bundles.find(
      (one) => one.name === name && (version === undefined || one.version === version),
    );
    if (entry === undefined) continue;
    assertFresh(registry, deps.nowMs(), titleOf(place));
    return { place, registry, entry };
  }
  throw new BundlesError("bundle_unknown", `No registry has a bundle ${JSON.stringify(wanted)}.`, {
    hint: "`deputy bundles list` shows what there is.",
  });
}

/**
 * Brings a bundle here: its manifest, then every file, each verified before it is kept; the record that it is
 * installed comes last. Files that are here already are not brought again. Throws a `BundlesError`, a `WasiError` for
 * a program that may not run, or the signal's reason; then nothing is installed that was not before.
 */
export async function installBundle(
  found: FoundBundle,
  deps: InstallDeps,
  signal: AbortSignal,
): Promise<Manifest> {
  const { place, registry, entry } = found;
  const { store } = deps;
  const bytes = await readPlace(besideRegistry(place, entry.manifest), deps.fetch, signal);
  const manifest = await verifyManifest(bytes, entry, registry);
  const opened = new Map<string, Promise<SourceFiles>>();
  const source = (name: string): Promise<SourceFiles> => {
    const described = manifest.sources[name];
    if (described === undefined) throw new Error("A manifest names its sources");
    const files = opened.get(name) ?? openSource(described, place, deps, signal);
    opened.set(name, files);
    return files;
  };
  for (const file of manifest.files) {
    const what = `${file.name} of ${manifest.name}`;
    const kept = await store.readFile(file.sha256);
    if (kept !== undefined && (await isRight(kept, file))) continue;
    const taken = await takeFile(file, source);
    await verifyBytes(taken, file, what);
    const command = manifest.commands.find(({ module }) => module === file.name);
    // A program that may not run is found out now, not when somebody needs it.
    if (command !== undefined) await prepareModule(taken, { maxMemoryBytes: command.limits.memoryBytes });
    await store.writeFile(file.sha256, taken);
  }
  await store.writeFile(entry.sha256, bytes);
  const { name, version } = manifest;
  await store.install({ registry: place.name, name, version, manifest: entry.sha256 });
  for (const { sha256 } of Object.values(manifest.sources)) await rm(store.partial(sha256), { force: true });
  return manifest;
}

async function isRight(
  bytes: Uint8Array<ArrayBuffer>,
  file: { readonly sha256: string; readonly bytes: number },
): Promise<boolean> {
  return await verifyBytes(bytes, file, "").then(
    () => true,
    () => false,
  );
}

async function openSource(
  source: ManifestSource,
  place: RegistryPlace,
  deps: InstallDeps,
  signal: AbortSignal,
): Promise<SourceFiles> {
  const local = await findLocally(source, deps.folders);
  if (local !== undefined) return "archive" in local ? await verifiedArchive(local.archive, source) : local;
  let failed: unknown;
  for (const from of source.from) {
    try {
      const at = addressOf(from, place, deps);
      if (!isAddress(at)) return await verifiedArchive(at, source);
      const file = deps.store.partial(source.sha256);
      const onBytes = (done: number): void => deps.onProgress(from, done, source.bytes);
      await download({ url: at, expected: source, file, fetch: deps.fetch, onBytes }, signal);
      return await verifiedArchive(file, source);
    } catch (error) {
      if (!(error instanceof BundlesError) || error.code !== "bundle_unavailable") throw error;
      failed = error;
    }
  }
  throw failed ?? unavailable("The manifest names no source.");
}

function addressOf(from: string, place: RegistryPlace, deps: InstallDeps): string {
  const npm = readNpmName(from);
  if (npm === undefined) return besideRegistry(place, from);
  if (deps.npm === undefined)
    throw unavailable("Where npm packages come from is not known: npm does not answer. Set bundles.npm.");
  const path = `${npm.name}/-/${npm.name.split("/").at(-1)}-${npm.version}.tgz`;
  return new URL(path, deps.npm.endsWith("/") ? deps.npm : `${deps.npm}/`).href;
}

async function verifiedArchive(path: string, source: ManifestSource): Promise<SourceFiles> {
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = new Uint8Array(await readFile(path));
  } catch (cause) {
    throw unavailable(`${path} cannot be read.`, cause);
  }
  await verifyBytes(bytes, source, path);
  return archiveFiles(bytes);
}
