import { registerHooks } from "node:module";

export interface PluginModules {
  /** The module a plugin gets for `@deputy/tools` and `@deputy/deputy/tools`. */
  readonly toolsUrl: string;
  /** The module a plugin gets for `zod`; absent: found as this file would find it, which a bundle cannot do. */
  readonly zodUrl?: string | undefined;
  /** The module it gets for `@deputy/plugins` and `@deputy/deputy/plugins`: plugins that Deputy brings. */
  readonly pluginsUrl?: string | undefined;
}

/**
 * The names under which plugins import it: the one inside Deputy, and the one of the installed package, which has
 * types for an editor.
 */
const TOOLS = new Set(["@deputy/tools", "@deputy/deputy/tools"]);
const PLUGINS = new Set(["@deputy/plugins", "@deputy/deputy/plugins"]);

/**
 * Lets a file anywhere on disk import Deputy's tools and `zod` without installing them: it gets ours, so that
 * its schemas and tools are compatible with the host's. Installed packages keep their own zod. Returns a
 * function that undoes it; installing twice is harmless.
 */
export function installPluginResolution({ toolsUrl, zodUrl, pluginsUrl }: PluginModules): () => void {
  const own = import.meta.url;
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      if (TOOLS.has(specifier)) return nextResolve(toolsUrl, context);
      if (pluginsUrl !== undefined && PLUGINS.has(specifier)) return nextResolve(pluginsUrl, context);
      const isZod = specifier === "zod" || specifier.startsWith("zod/");
      if (!isZod || isInstalled(context.parentURL)) return nextResolve(specifier, context);
      if (zodUrl !== undefined && specifier === "zod") return nextResolve(zodUrl, context);
      return nextResolve(specifier, { ...context, parentURL: zodUrl ?? own });
    },
  });
  return () => hooks.deregister();
}

function isInstalled(importer: string | undefined): boolean {
  return importer === undefined || importer.includes("/node_modules/");
}
