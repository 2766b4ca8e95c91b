import { basename, resolve } from "node:path";
import { CELL_GLOBALS } from "@deputy/codemode";
import { makeVisible, systemCodeOf } from "@deputy/kit";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { openHome } from "../../home.ts";
import type { Invocation } from "../../invocation.ts";
import { loadCatalogue } from "../../load-catalogue.ts";
import { selectTools } from "./select-tools.ts";
import { toolSourcesOf } from "../../config/tool-source-schema.ts";
import { closeSync, openSync, readSync, statSync, writeFileSync } from "node:fs";
import { AppError } from "../../app-error.ts";

export interface TypesOptions {
  readonly tools?: readonly string[];
  readonly out?: string;
}

/** The file's first line, by which it is known as ours when it is written again. */
const HEADER =
  "// What a cell may use, as Deputy checks it. Written by `deputy tools types`: changes in here are lost.\n";

/** `deputy tools types [PATH…]`: the declarations that cells are checked against, for people and editors. */
export async function printTypes(
  invocation: Invocation,
  paths: readonly string[],
  options: TypesOptions,
): Promise<ExitCode> {
  const { output } = invocation;
  const home = openHome(invocation.homeDirectory, invocation.warn);
  const plugins = (options.tools ?? []).map((plugin) => resolve(plugin));
  const catalogue = await loadCatalogue([...toolSourcesOf(home.config), ...plugins], home, invocation);
  const tools = selectTools(catalogue, paths);
  const declarations = paths.length === 0 ? catalogue.declarations() : catalogue.describe(tools, "whole");
  const text = `${HEADER}${CELL_GLOBALS}${declarations}`;
  for (const path of tools) {
    const presumed = catalogue.get(path)?.presumed;
    if (presumed !== undefined) output.note(`${path}: ${makeVisible(presumed)}`);
  }
  if (toolSourcesOf(home.config).length + plugins.length === 0) output.note(NO_TOOLS);

  if (options.out === undefined) {
    output.result(text.trimEnd());
    output.object({ type: "types", tools, declarations: text });
    return EXIT.done;
  }
  const file = resolve(options.out);
  writeGenerated(file, HEADER, text);
  output.result(`Wrote ${tools.length === 1 ? "1 tool" : `${tools.length} tools`} to ${makeVisible(file)}`);
  output.note(
    `A program in the same folder refers to them with: /// <reference path="./${makeVisible(basename(file))}" />`,
  );
  output.object({ type: "types", tools, file });
  return EXIT.done;
}

const NO_TOOLS =
  "Only Deputy's own tools are connected. Name a plugin with --tools, or in toolSources of config.json.";

/**
 * Writes a file that begins with `header`, over an older one of its kind but never over anything else.
 * Throws `file_unwritable`.
 */
function writeGenerated(file: string, header: string, text: string): void {
  try {
    if (isForeign(file, header)) {
      throw new AppError("file_unwritable", `${file} already exists, and was not written by this command`, {
        hint: "Name another file, or remove that one.",
      });
    }
    writeFileSync(file, text);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const missing = systemCodeOf(cause) === "ENOENT";
    const hint = missing
      ? "Its directory does not exist."
      : "Name another file, or make it writable for you.";
    throw new AppError("file_unwritable", `Cannot write ${file}`, { cause, hint });
  }
}

/** True if the file contains something else. A device, a pipe or an empty file counts as empty. */
function isForeign(file: string, header: string): boolean {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile() || stat.size === 0) return false;
  const wanted = Buffer.from(header);
  const start = Buffer.alloc(wanted.length);
  const handle = openSync(file, "r");
  try {
    readSync(handle, start, 0, start.length, 0);
  } finally {
    closeSync(handle);
  }
  return !start.equals(wanted);
}
