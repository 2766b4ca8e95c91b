import type { PluginPort } from "@deputy/engine";
import { createCatalogue, type ToolSource, ToolsError } from "@deputy/tools";
import type { OpenPlugin } from "@deputy/tools/node";
import { withBuiltins } from "../builtins/builtin-sources.ts";
import { pluginDeps } from "../load-catalogue.ts";

/**
 * Plugins that programs bring along, as they are at that moment: their processes are started for the program and end
 * with it. One that the engine has already takes that one's place.
 */
export function createProgramPlugins(deps: {
  readonly env: NodeJS.ProcessEnv;
  /** The engine's own tools, as they are now. */
  readonly sources: () => readonly ToolSource[];
  readonly builtins: ToolSource;
  /** Files that every task here can use. */
  readonly loaded: readonly string[];
  /** Takes resources that must be closed in the end, whatever the task's outcome. */
  readonly own: (resource: AsyncDisposable) => void;
  readonly signal: AbortSignal;
}): PluginPort {
  return {
    async open(files) {
      const { openPlugin } = await import("@deputy/tools/node");
      const opened: (ToolSource & { readonly plugin: OpenPlugin })[] = [];
      for (const file of files) {
        const plugin = await openPlugin(file, { ...pluginDeps(deps.env), signal: deps.signal });
        deps.own(plugin);
        opened.push({ source: file, tree: plugin.tree, plugin });
      }
      const others = deps.sources().filter(({ source }) => !files.has(source));
      return {
        catalogue: createCatalogue(withBuiltins(deps.builtins, [...others, ...opened])),
        rest: async () => void (await Promise.all(opened.map(({ plugin }) => plugin.rest()))),
      };
    },
    assertLoaded(files) {
      const missing = files.find((file) => !deps.loaded.includes(file));
      if (missing === undefined) return;
      throw new ToolsError(
        "plugin_not_found",
        `It was started with the plugin ${missing}, which is not loaded`,
        { hint: `Start with --tools ${missing}, or name it in toolSources of config.json.` },
      );
    },
  };
}
