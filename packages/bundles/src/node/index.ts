export { OWN_REGISTRY } from "./own-registry.ts";
export { type BundleStore, type InstalledRecord, openBundleStore } from "./bundle-store.ts";
export { findBundle, type FoundBundle, installBundle, type InstallDeps } from "./install-bundle.ts";
export {
  type BundleState,
  openBundledPrograms,
  readInstalled,
  readVerified,
  verifyFiles,
} from "./open-bundles.ts";
export type { BundleFetch, RegistryPlace } from "./place.ts";
export { knownRegistry, refreshRegistry } from "./registries.ts";
