import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { stripTypes } from "./strip-types.ts";
import { createNodeTypeStripper } from "./type-stripper.ts";

test("[C23] it is silent, other warnings are not, and it does not keep the process alive", async () => {
  const load = (file: string): string =>
    `await import(${JSON.stringify(new URL(file, import.meta.url).href)})`;
  const script = `const { createNodeTypeStripper } = ${load("./type-stripper.ts")};
    const { stripTypes } = ${load("./strip-types.ts")};
    process.stdout.write(createNodeTypeStripper().strip("let a: 1") + stripTypes("let b: 2"));
    process.emitWarning("mine", "ExperimentalWarning");`;
  const run = promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
    timeout: 20_000,
  });
  const { stdout, stderr } = await run;
  expect(stdout).toBe("let a   let b   ");
  expect(stderr).toContain("ExperimentalWarning: mine");
  expect(stderr).not.toContain("stripTypeScriptTypes");
});

test("[C24] a program that breaks the stripper breaks it for nobody else in the process", () => {
  const deep = `${"{".repeat(5_000)}${"}".repeat(5_000)}`;
  const { strip } = createNodeTypeStripper();
  for (let n = 0; n < 3; n++) {
    expect(() => strip(deep)).toThrow("The types cannot be erased: the program nests too deeply");
  }
  expect(stripTypes("let a: 1")).toBe("let a   ");
});
