import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createNodeTypeStripper } from "./type-stripper.ts";

const { strip } = createNodeTypeStripper();

test("[C23] types are erased and everything else stays where it was", () => {
  const code =
    "const a: number = 1;\nconst f = async <T>(x: T): Promise<T> => x;\nreturn (await f(a)) as unknown;";
  const stripped = strip(code);
  expect(stripped).toBe(
    "const a         = 1;\nconst f = async    (x   )             => x;\nreturn (await f(a))           ;",
  );
  expect(strip("interface A { a: 1 }\ntype B = A;\nreturn 1")).toBe(
    `${" ".repeat(20)}\n${" ".repeat(11)}\nreturn 1`,
  );
  expect(strip("")).toBe("");
  expect(strip("return 1 // comment")).toBe("return 1 // comment");
});

test("[C23] syntax that cannot be erased, or is none, is refused", () => {
  for (const code of [
    "enum A { x }",
    "namespace N { export const a = 1 }",
    "class A { constructor(private x: 1) {} }",
  ]) {
    expect(() => strip(code), code).toThrow(expect.objectContaining({ code: "not_erasable" }));
  }
  expect(() => strip("const a = ;")).toThrow(expect.objectContaining({ code: "not_erasable" }));
});

test("[C23] it is silent, and other warnings are not", async () => {
  const entry = new URL("./type-stripper.ts", import.meta.url).href;
  const script = `const { createNodeTypeStripper } = await import(${JSON.stringify(entry)});
    process.stdout.write(createNodeTypeStripper().strip("let a: 1"));
    process.emitWarning("mine", "ExperimentalWarning");`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    "--input-type=module",
    "-e",
    script,
  ]);
  expect(stdout).toBe("let a   ");
  expect(stderr).toContain("ExperimentalWarning: mine");
  expect(stderr).not.toContain("stripTypeScriptTypes");
});
