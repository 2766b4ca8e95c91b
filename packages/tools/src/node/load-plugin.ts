import { realpath, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isTool } from "../define-tool.ts";
import type { ToolTree } from "../tool.ts";
import { ToolsError } from "../tools-error.ts";
import { VERSION_PARAMETER } from "./install-plugin-resolution.ts";

/**
 * Imports a plugin file (`.ts`, `.js`, `.mjs`) and gives its default export. A plugin is code that the
 * user trusts: it runs in this process. Rejects with `plugin_not_found`, `plugin_failed` (it threw while
 * loading) or `plugin_invalid` (no tool tree). Needs `installPluginResolution` once before.
 *
 * Node keeps every module it has loaded. A `version` that this process has not used before loads the file
 * as it is now, and with it the ES modules it imports by relative path. Limits: installed packages, and what
 * CommonJS modules require, stay as they were first loaded; and the older versions are never freed, about 40 KB for a small
 * plugin, together with whatever timers or connections they opened.
 */
export async function loadPlugin(path: string, version?: string): Promise<ToolTree> {
  const file = resolve(path);
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() !== true)
    throw new ToolsError("plugin_not_found", `There is no plugin file ${file}`, {
      hint: "Check its path; in toolSources of config.json it is from the home.",
    });
  const url = pathToFileURL(file);
  if (version !== undefined) {
    url.searchParams.set(VERSION_PARAMETER, version);
    // A plugin in CommonJS is kept by its path alone.
    Reflect.deleteProperty(createRequire(url).cache, await realpath(file));
  }
  const loaded = await importModule(file, url);
  const tree: unknown = Reflect.get(loaded, "default");
  if (!isTree(tree)) {
    throw new ToolsError("plugin_invalid", `The default export of ${file} is not a tree of tools`, {
      hint: "Write: export default { github: { close: defineTool({ … }) } }",
    });
  }
  return tree;
}

async function importModule(file: string, url: URL): Promise<object> {
  try {
    return await import(url.href);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ToolsError("plugin_failed", `The plugin ${file} could not be loaded: ${why}`, { cause });
  }
}

/** Whether the tools in it are valid is for the catalogue to say, which knows their paths. */
function isTree(value: unknown): value is ToolTree {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isTool(value);
}
