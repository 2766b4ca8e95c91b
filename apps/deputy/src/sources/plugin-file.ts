import { existsSync, readFileSync } from "node:fs";
import { createRequire, findPackageJSON } from "node:module";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ToolsError } from "@deputy/tools";
import { shippedPlugin } from "../bundle-layout.ts";

/**
 * The file that an entry of `toolSources` names: a plugin that Deputy brings, a path from the home, or a package installed
 * there. Throws `plugin_not_found`.
 */
export function pluginFile(home: string, entry: string): string {
  const shipped = shippedPlugin(entry);
  if (shipped !== undefined) return shipped;
  const file = resolve(home, entry);
  if (!PACKAGE.test(entry) || existsSync(file)) return file;
  const within = pathToFileURL(join(home, "config.json"));
  try {
    return createRequire(within).resolve(entry);
  } catch (cause) {
    const found = entryOfModule(entry, within);
    if (found !== undefined) return found;
    throw new ToolsError(
      "plugin_not_found",
      `There is no plugin file ${file}, and no package ${entry} in ${home}`,
      {
        cause,
        hint: `Install it there: npm install --prefix ${home} ${entry}`,
      },
    );
  }
}

/** A package name like npm's; a name with an extension is a file. */
const PACKAGE = /^(?!.*\.(?:ts|js|mjs|cjs)$)(?:@[\w.-]+\/)?[\w-][\w.-]*$/;

/** `require` does not find packages that are only meant to be imported. */
function entryOfModule(name: string, within: URL): string | undefined {
  try {
    const description = findPackageJSON(name, within);
    if (description === undefined) return undefined;
    const { exports, module, main } = JSON.parse(readFileSync(description, "utf8")) as Record<
      string,
      unknown
    >;
    const own =
      typeof exports === "object" && exports !== null ? (Reflect.get(exports, ".") ?? exports) : exports;
    const byCondition =
      typeof own === "object" && own !== null
        ? (Reflect.get(own, "import") ?? Reflect.get(own, "default"))
        : own;
    const entry = [byCondition, module, main].find((one) => typeof one === "string");
    return typeof entry === "string" ? join(dirname(description), entry) : undefined;
  } catch {
    return undefined;
  }
}
