import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { ROOT } from "./repository.ts";
import { finish } from "./run-deputy.ts";

test.each([
  ["terminal", /^Usage: deputy \[/m],
  ["daemon", /^Usage: deputy serve \[/m],
  ["start", /^Usage: deputy serve \[/m],
])("[E933] in a clone, npm run %s starts what its name says", async (script, usage) => {
  const child = spawn("npm", ["run", "--silent", script, "--", "--help"], { cwd: ROOT });
  expect(await finish(child)).toMatchObject({ code: 0, stdout: expect.stringMatching(usage) });
});
