// Tools on Node: plugin files.
// What does not belong here: anything a browser could run as it is.
export type { PluginModules } from "./install-plugin-resolution.ts";
export { type OpenPlugin, openPlugin } from "./plugins/open-plugin.ts";
