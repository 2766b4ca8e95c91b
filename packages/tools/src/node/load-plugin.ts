import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isTool } from "../define-tool.ts";
import type { ToolTree } from "../tool.ts";
import { ToolsError } from "../tools-error.ts";

/**
 * Imports a plugin file (`.ts`, `.js`, `.mjs`) and gives its default export. A plugin is code that the
 * user trusts: it runs in this process. Rejects with `plugin_not_found`, `plugin_failed` (it threw while
 * loading) or `plugin_invalid` (no tool tree). Needs `installPluginResolution` once before.
 */
export async function loadPlugin(path: string): Promise<ToolTree> {
  const file = resolve(path);
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() !== true) throw new ToolsError("plugin_not_found", `There is no plugin file ${file}`);
  const loaded = await importModule(file);
  const tree: unknown = Reflect.get(loaded, "default");
  if (!isTree(tree)) {
    throw new ToolsError("plugin_invalid", `The default export of ${file} is not a tree of tools`, {
      hint: "Write: export default { github: { close: defineTool({ … }) } }",
    });
  }
  return tree;
}

async function importModule(file: string): Promise<object> {
  try {
    return await import(pathToFileURL(file).href);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ToolsError("plugin_failed", `The plugin ${file} could not be loaded: ${why}`, { cause });
  }
}

/** Whether the tools in it are valid is for the catalogue to say, which knows their paths. */
function isTree(value: unknown): value is ToolTree {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isTool(value);
}
