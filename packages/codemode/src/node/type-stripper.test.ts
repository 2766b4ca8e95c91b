import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { createFakeClock } from "@deputy/testing";
import { expect, test, vi } from "vitest";
import { threadsNamed } from "../test/threads-named.ts";
import { stripTypes } from "./strip-types.ts";
import { createNodeTypeStripper } from "./type-stripper.ts";

test("[C23] prints no warning of its own, keeps others, and does not keep the process alive", async () => {
  const load = (file: string): string =>
    `await import(${JSON.stringify(new URL(file, import.meta.url).href)})`;
  const script = `const { createNodeTypeStripper } = ${load("./type-stripper.ts")};
    const { stripTypes } = ${load("./strip-types.ts")};
    process.stdout.write(createNodeTypeStripper().strip("let a: 1") + stripTypes("let b: 2"));
    process.emitWarning("mine", "ExperimentalWarning");`;
  const run = promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
    timeout: 120_000,
  });
  const { stdout, stderr } = await run;
  expect(stdout).toBe("let a   let b   ");
  expect(stderr).toContain("ExperimentalWarning: mine");
  expect(stderr).not.toContain("stripTypeScriptTypes");
});

test("[C24] a program that breaks the stripper affects no other in the process", () => {
  const deep = `${"{".repeat(5_000)}${"}".repeat(5_000)}`;
  const { strip } = createNodeTypeStripper({ idleMs: 500 });
  for (let n = 0; n < 3; n++) {
    expect(() => strip(deep)).toThrow("The types cannot be erased: the program nests too deeply");
  }
  expect(stripTypes("let a: 1")).toBe("let a   ");
});

test("[C24] keeps its thread for a while, then ends it; the next program starts another", async () => {
  const clock = createFakeClock();
  const { strip } = createNodeTypeStripper({ clock, idleMs: 60_000 });
  const threads = (): number => threadsNamed("deputy-type-stripper");
  await vi.waitFor(() => expect(threads()).toBe(0));
  for (let program = 0; program < 3; program++) {
    expect(strip("let a: 1")).toBe("let a   ");
    await clock.advance(59_999);
    expect(threads()).toBe(1);
  }
  await clock.advance(1);
  await vi.waitFor(() => expect(threads()).toBe(0));
  expect(strip("let a: 1")).toBe("let a   ");
});
