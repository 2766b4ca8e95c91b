import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listSources, listWorkspaces, ROOT } from "./repository.ts";

/** Names that exist only in Node. Comments and strings may mention them; code may not use them. */
const NODE_GLOBALS = /(?<![.\w"'`$])(?:process|Buffer|__dirname|__filename|require|setImmediate)(?=[.([])/;

test.each(listWorkspaces().filter((workspace) => workspace.portable))(
  "[R3] $name uses no global of Node",
  ({ folder }) => {
    const wrong = listSources(join(folder, "src"))
      .filter((path) => !path.includes("/src/node/"))
      .filter((path) => NODE_GLOBALS.test(codeOf(readFileSync(join(ROOT, path), "utf8"))));
    expect(wrong).toEqual([]);
  },
);

/** Without comments and quoted text. */
function codeOf(source: string): string {
  return source
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/^\s*\/\/.*$/gm, "")
    .replace(/"(?:[^"\\\n]|\\.)*"/g, '""');
}
