import { createCatalogue, defineTool } from "@deputy/tools";
import { expect, test } from "vitest";
import { z } from "zod";
import { scriptGlobalsOf } from "./script-globals.ts";

const run = defineTool({
  description: "Runs it",
  approval: "auto",
  effect: "write",
  critical: [],
  args: z.object({}),
  run: () => 1,
});

test("[A296] a script that an earlier process began goes on with the shell() that it has called", () => {
  const catalogue = createCatalogue([{ source: "test", tree: { shell: { run }, bash: { run } } }]);
  const shellOf = (...called: readonly string[]): readonly string[] =>
    scriptGlobalsOf(catalogue, called).map(({ name, toolPath }) => `${name} is ${toolPath}`);
  expect(shellOf()).toEqual(["shell is shell.run"]);
  expect(shellOf("files.read", "shell.run")).toEqual(["shell is shell.run"]);
  expect(shellOf("shell.run", "bash.run")).toEqual(["shell is shell.run"]);
  expect(shellOf("files.read", "bash.run")).toEqual(["shell is bash.run"]);
});
