import { registerHooks } from "node:module";

export interface PluginModules {
  /** The module a plugin gets for `@deputy/tools`. */
  readonly toolsUrl: string;
  /** The module a plugin gets for `zod`. */
  readonly zodUrl: string;
}

/** In the address of a module: which loading of a plugin it belongs to; see `loadPlugin`. */
export const VERSION_PARAMETER = "deputy-version";

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
      if (!isOurs) return withVersion(nextResolve(specifier, context), specifier, context.parentURL);
      if (modules !== undefined && specifier === TOOLS) return nextResolve(modules.toolsUrl, context);
      if (modules !== undefined && specifier === "zod") return nextResolve(modules.zodUrl, context);
      return nextResolve(specifier, { ...context, parentURL: modules?.zodUrl ?? own });
    },
  });
  return () => hooks.deregister();
}

/** A plugin's own files are of the version that the importing one is of. */
function withVersion<Resolved extends { readonly url: string }>(
  resolved: Resolved,
  specifier: string,
  importer: string | undefined,
): Resolved {
  if (!/^\.{1,2}\//.test(specifier) || !importer?.includes(VERSION_PARAMETER)) return resolved;
  const version = new URL(importer).searchParams.get(VERSION_PARAMETER);
  if (version === null || !resolved.url.startsWith("file:")) return resolved;
  const url = new URL(resolved.url);
  url.searchParams.set(VERSION_PARAMETER, version);
  return { ...resolved, url: url.href };
}

function isInstalled(importer: string | undefined): boolean {
  return importer === undefined || importer.includes("/node_modules/");
}
