import { spawnSync } from "node:child_process";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isRecord } from "@deputy/kit";
import { isTool } from "../define-tool.ts";
import type { ToolTree } from "../tool.ts";
import { ToolsError } from "../tools-error.ts";

/**
 * Imports a plugin file (`.ts`, `.js`, `.mjs`) into this process, which is a host of plugins (see `openPlugin`), and
 * gives its default export. Rejects with `plugin_not_found`, `plugin_failed` (it threw while loading; the message has
 * the place, if it is known) or `plugin_invalid` (no tool tree). Call `installPluginResolution` once before.
 */
export async function loadPlugin(path: string): Promise<ToolTree> {
  const file = resolve(path);
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() !== true)
    throw new ToolsError("plugin_not_found", `There is no plugin file ${file}`, {
      hint: "Check its path; in toolSources of config.json it is from the home.",
    });
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
    const place = placeOf(file, cause);
    const where = place === undefined ? "" : ` (${place})`;
    throw new ToolsError("plugin_failed", `The plugin ${file} could not be loaded: ${why}${where}`, {
      cause,
      hint: `Fix ${place === undefined ? "it" : "that line"}; a running daemon loads it again before the next turn. To go on without it: \`deputy tools remove ${file}\`, or move it out of the home's plugins folder.`,
    });
  }
}

/**
 * `FILE:LINE`, from the beginning of the error's stack if its text is at fault, otherwise from where it was
 * thrown.
 */
function placeOf(file: string, error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const stack = String(error.stack);
  const [, head] = /^((?:file:\/\/)?\/.*:\d+)\n/.exec(stack) ?? [];
  const [, thrown] = /^\s+at (?:.*\()?(file:\/\/.*?:\d+)(?::\d+)?\)?$/m.exec(stack) ?? [];
  const found = head ?? (error instanceof SyntaxError ? checkedPlace(file) : thrown);
  return found?.replace(/^file:\/\/.*?(?=:\d+$)/, (url) => fileURLToPath(url));
}

/** For a syntax error, an import does not say the line; a check of the file does. */
function checkedPlace(file: string): string | undefined {
  const { stderr } = spawnSync(process.execPath, ["--check", file], { encoding: "utf8" });
  return /^((?:file:\/\/)?\/.*:\d+)\n/.exec(stderr)?.[1];
}

/** The catalogue checks the tools in it, because it knows their paths. */
function isTree(value: unknown): value is ToolTree {
  return isRecord(value) && !isTool(value);
}
