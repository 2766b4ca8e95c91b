import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * The paths of files beside the bundle (see build/bundle.ts). When Deputy runs from its sources, each package finds its
 * own files.
 */
export interface BundleLayout {
  readonly page: { readonly directory?: string };
  readonly pluginModules: {
    readonly toolsUrl?: string;
    readonly zodUrl?: string;
    readonly pluginsUrl: string;
  };
}

export function findBundleLayout(): BundleLayout {
  const directory = fileURLToPath(new URL("./web/", import.meta.url));
  if (!existsSync(directory))
    return { page: {}, pluginModules: { pluginsUrl: import.meta.resolve("@deputy/plugins") } };
  const beside = (name: string): string => new URL(name, import.meta.url).href;
  return {
    page: { directory },
    pluginModules: {
      toolsUrl: beside("./plugin-tools.js"),
      zodUrl: beside("./plugin-zod.js"),
      pluginsUrl: beside("./plugins.js"),
    },
  };
}

/** The plugins that Deputy brings: what names them in `toolSources`, and their credential and namespace. */
export const SHIPPED_PLUGINS = { "@deputy/github": "github", "@deputy/posthog": "posthog" } as const;

/** The file of a plugin that Deputy brings; undefined for any other name. */
export function shippedPlugin(name: string): string | undefined {
  if (!Object.hasOwn(SHIPPED_PLUGINS, name)) return undefined;
  const short = SHIPPED_PLUGINS[name as keyof typeof SHIPPED_PLUGINS];
  const beside = fileURLToPath(new URL(`./plugin-${short}.js`, import.meta.url));
  return existsSync(beside) ? beside : fileURLToPath(import.meta.resolve(`@deputy/plugins/${short}`));
}
