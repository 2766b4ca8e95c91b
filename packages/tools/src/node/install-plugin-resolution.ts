import { registerHooks } from "node:module";

export interface PluginModules {
  /** The module a plugin gets for `@deputy/tools`. */
  readonly toolsUrl: string;
  /** The module a plugin gets for `zod`. */
  readonly zodUrl: string;
}

const TOOLS = "@deputy/tools";

/**
 * Lets a file anywhere on disk import `@deputy/tools` and `zod` without anything installed beside it: it
 * gets ours, so that its schemas and tools are of the same kind as the engine's. Installed packages
 * keep their own zod. Returns a function that undoes it; installing twice is harmless.
 *
 * Without `modules` they are found as this file would find them, which a bundle cannot do.
 */
export function installPluginResolution(modules?: PluginModules): () => void {
  const own = import.meta.url;
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      const isZod = specifier === "zod" || specifier.startsWith("zod/");
      const isOurs = specifier === TOOLS || (isZod && !isInstalled(context.parentURL));
      if (!isOurs) return nextResolve(specifier, context);
      if (modules !== undefined && specifier === TOOLS) return nextResolve(modules.toolsUrl, context);
      if (modules !== undefined && specifier === "zod") return nextResolve(modules.zodUrl, context);
      return nextResolve(specifier, { ...context, parentURL: modules?.zodUrl ?? own });
    },
  });
  return () => hooks.deregister();
}

function isInstalled(importer: string | undefined): boolean {
  return importer === undefined || importer.includes("/node_modules/");
}
