import { resolve } from "node:path";
import { throwIfAborted } from "@deputy/kit";
import type { ReadyTool, ToolTree } from "../../tool.ts";
import type { PluginModules } from "../install-plugin-resolution.ts";
import { hostedTool } from "./hosted-tool.ts";
import { hashModules } from "./module-graph.ts";
import { createPluginHost, type HostLimits, type PluginHost } from "./plugin-host.ts";
import type { StartHostDeps } from "./start-host.ts";

/** A plugin whose code runs in its own process. Disposing ends that for good. */
export interface OpenPlugin extends AsyncDisposable {
  readonly tree: ToolTree;
  /** Ends its process now; a later call starts another. */
  rest(): Promise<void>;
}

/**
 * Has a separate process load and describe a plugin file (`.ts`, `.js`, `.mjs`), so that all of its code runs there.
 * Rejects with `plugin_not_found`, `plugin_failed`, `plugin_invalid` or `invalid_tool`, or with the signal's reason
 * while it loads; its process has ended then. Every new process loads the file again. A plugin's memory lasts as long
 * as its process: until it is idle, crashes, or is ended because a call in it would not stop.
 */
export async function openPlugin(
  path: string,
  deps: Pick<StartHostDeps, "env" | "print"> & {
    /** The modules that plugins import. Absent, or in part: the rest is found in the sources. */
    readonly modules?: Partial<PluginModules> | undefined;
    readonly limits?: Partial<HostLimits>;
    readonly signal: AbortSignal;
  },
): Promise<OpenPlugin> {
  const { env, print, modules, limits, signal } = deps;
  const toolsUrl = modules?.toolsUrl ?? new URL("../../plugin-api.ts", import.meta.url).href;
  const host = createPluginHost({
    env,
    print,
    order: { file: resolve(path), toolsUrl, zodUrl: modules?.zodUrl, pluginsUrl: modules?.pluginsUrl },
    ...(limits === undefined ? {} : { limits }),
  });
  const stop = (): void => void host[Symbol.asyncDispose]();
  throwIfAborted(signal);
  signal.addEventListener("abort", stop, { once: true });
  try {
    // The plugin's place and contents: every new process loads them again.
    const tree = await treeOf(host, () => `plugin ${resolve(path)} ${hashModules(resolve(path))}`);
    return { tree, rest: host.rest, [Symbol.asyncDispose]: () => host[Symbol.asyncDispose]() };
  } catch (error) {
    throwIfAborted(signal);
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

interface Branch {
  [name: string]: ReadyTool | Branch;
}

async function treeOf(host: PluginHost, identityOf: () => string): Promise<ToolTree> {
  const tree: Branch = {};
  for (const tool of await host.describe()) {
    const names = tool.path.split(".");
    const last = names.pop() ?? tool.path;
    let branch = tree;
    for (const name of names) branch = (branch[name] ??= {}) as Branch;
    branch[last] = hostedTool(tool, host, identityOf);
  }
  return tree;
}
