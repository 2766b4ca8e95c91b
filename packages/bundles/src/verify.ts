import { BundlesError } from "./bundles-error.ts";
import { type Manifest, readManifest } from "./manifest/manifest.ts";
import { readRegistryFile, type RegistryEntry, type RegistryFile } from "./manifest/registry-file.ts";
import { sha256Of } from "./signed/hex.ts";
import { type PublicKey, readPublicKey } from "./signed/keys.ts";
import { openDocument, tampered } from "./signed/signed-document.ts";

/** A registry whose signature was checked. */
export interface Registry {
  readonly file: RegistryFile;
  /** Who may sign its manifests: none of those that it took back. */
  readonly publishers: readonly PublicKey[];
}

/** `keys` are those by which this registry is trusted. Throws a `BundlesError`. */
export async function verifyRegistry(
  bytes: Uint8Array,
  keys: readonly PublicKey[],
  what: string,
): Promise<Registry> {
  const { signed, key } = await openDocument("registry", bytes, keys, what);
  const file = readRegistryFile(signed, what);
  const { revoked } = file;
  if (revoked.keys.includes(key.id))
    throw new BundlesError("bundle_revoked", `${what} is signed by a key that it takes back itself.`);
  const listed = await Promise.all(file.keys.map(readPublicKey));
  const publishers = [...keys, ...listed];
  return { file, publishers };
}

/** Throws `bundle_expired`. */
export function assertFresh({ file }: Registry, nowMs: number, what: string): void {
  if (Date.parse(file.expires) < nowMs)
    throw new BundlesError("bundle_expired", `${what} was valid until ${file.expires}.`, {
      hint: "Get a newer one: `deputy bundles update`, or a newer Deputy for its own.",
    });
}

/** The manifest of one entry: its hash, its signature and what the registry took back. Throws a `BundlesError`. */
export async function verifyManifest(
  bytes: Uint8Array<ArrayBuffer>,
  entry: Pick<RegistryEntry, "name" | "version" | "sha256">,
  registry: Registry,
): Promise<Manifest> {
  const what = `The manifest of ${entry.name} ${entry.version}`;
  const { revoked } = registry.file;
  if (revoked.manifests.includes(entry.sha256))
    throw new BundlesError(
      "bundle_revoked",
      `${entry.name} ${entry.version} was taken back by its registry.`,
      {
        hint: "`deputy bundles add` brings another version, if there is one.",
      },
    );
  if ((await sha256Of(bytes)) !== entry.sha256) throw tampered(what, "it has another hash");
  const { signed, key } = await openDocument("manifest", bytes, registry.publishers, what);
  if (revoked.keys.includes(key.id))
    throw new BundlesError("bundle_revoked", `${what} is signed by a key that its registry took back.`);
  const manifest = readManifest(signed, what);
  if (manifest.name !== entry.name || manifest.version !== entry.version)
    throw tampered(what, "it is that of another bundle");
  return manifest;
}

/** Throws `bundle_tampered`. */
export async function verifyBytes(
  bytes: Uint8Array<ArrayBuffer>,
  expected: { readonly sha256: string; readonly bytes: number },
  what: string,
): Promise<void> {
  if (bytes.length !== expected.bytes)
    throw tampered(what, `it has ${bytes.length} bytes instead of ${expected.bytes}`);
  if ((await sha256Of(bytes)) !== expected.sha256) throw tampered(what, "it has another hash");
}
