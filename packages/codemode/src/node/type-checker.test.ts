import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { describeTypeChecker } from "@deputy/testing";
import { createNodeTypeChecker } from "./type-checker.ts";

describeTypeChecker("TypeScript's native checker", createNodeTypeChecker);

const signal = new AbortController().signal;
const BOMB = `type Row<N extends number, All extends 1[] = []> = All["length"] extends N ? All : Row<N, [...All, 1]>;
${Array.from({ length: 400 }, (_, n) => `const f${n} = (x: [Row<${900 + (n % 90)}>, ${n}]): [Row<${800 + (n % 90)}>, ${n}] => x;`).join("\n")}`;

test("[C22] nothing is started before the first check; a checker whose process dies rejects, and works again", async () => {
  const before = childrenOf(process.pid);
  await using checker = createNodeTypeChecker();
  expect(childrenOf(process.pid)).toEqual(before);
  await checker.check({ code: "", declarations: "" }, signal);
  const [child, ...others] = childrenOf(process.pid).filter((pid) => !before.includes(pid));
  if (child === undefined) throw new Error("The checker started no process");
  expect(others).toEqual([]);
  const running = checker.check({ code: BOMB, declarations: "" }, signal);
  setTimeout(() => process.kill(child, "SIGKILL"), 50);
  await expect(running).rejects.toMatchObject({ code: "checker_crashed" });
  expect(await checker.check({ code: "missing", declarations: "" }, signal)).toMatchObject([
    { code: "TS2304" },
  ]);
});

test("[C22] an idle checker does not keep the process alive, from whatever directory it runs", async () => {
  const entry = new URL("./index.ts", import.meta.url).href;
  const script = `const { createNodeTypeChecker } = await import(${JSON.stringify(entry)});
    const found = await createNodeTypeChecker().check({ code: "missing", declarations: "" }, new AbortController().signal);
    process.stdout.write(found[0].code);`;
  const run = promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
    cwd: "/",
    timeout: 20_000,
  });
  expect(await run).toEqual({ stdout: "TS2304", stderr: "" });
});

test("[C20] a checker that grows too large is given up as well, and the next check works", async () => {
  await using checker = createNodeTypeChecker({ maxMemoryBytes: 200 * 1024 * 1024 });
  await expect(checker.check({ code: BOMB, declarations: "" }, signal)).rejects.toMatchObject({
    code: "checker_crashed",
  });
  expect(await checker.check({ code: "return 1", declarations: "" }, signal)).toEqual([]);
});

/** Linux only, like the rest of the test machine. */
function childrenOf(pid: number): readonly number[] {
  return readdirSync(`/proc/${pid}/task`)
    .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" "))
    .filter((child) => child.trim() !== "")
    .map(Number);
}
