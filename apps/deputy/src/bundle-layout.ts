import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * The paths of files beside the bundle (see build/bundle.ts). Empty when Deputy runs from its sources, where each
 * package finds its own files.
 */
export interface BundleLayout {
  readonly page: { readonly directory?: string };
  readonly pluginModules: { readonly toolsUrl: string; readonly zodUrl: string } | undefined;
}

export function findBundleLayout(): BundleLayout {
  const directory = fileURLToPath(new URL("./web/", import.meta.url));
  if (!existsSync(directory)) return { page: {}, pluginModules: undefined };
  const toolsUrl = new URL("./plugin-tools.js", import.meta.url).href;
  const zodUrl = new URL("./plugin-zod.js", import.meta.url).href;
  return { page: { directory }, pluginModules: { toolsUrl, zodUrl } };
}
