// Signed sets of programs: what they are, and whether they are what was signed. Fetching and keeping them is in node/.
export { BundlesError, type BundlesErrorCode, bundlesErrorCodes } from "./bundles-error.ts";
export { BUNDLE_FILES, type BundledCommand, type BundledPrograms } from "./bundled-programs.ts";
export type { Manifest } from "./manifest/manifest.ts";
export { readManifest } from "./manifest/manifest.ts";
export { readRegistryFile, type RegistryFile } from "./manifest/registry-file.ts";
export { sha256Of } from "./signed/hex.ts";
export {
  createSigningKey,
  type PublicKey,
  readPublicKey,
  readSigningKey,
  type SigningKey,
} from "./signed/keys.ts";
export { type DocumentKind, signDocument } from "./signed/signed-document.ts";
