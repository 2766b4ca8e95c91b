import type { TypeChecker } from "@deputy/codemode";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const DECLARATIONS = `declare const tools: {
  readonly issues: {
    readonly list: (input?: { state?: "open" | "closed" }) => Promise<{ id: number; title: string }[]>;
    readonly close: (input: { id: number }) => Promise<{ id: number }>;
  };
};`;

/** Types that take a checker longer than any patience. */
const TYPE_BOMB = `type Row<N extends number, All extends unknown[] = []> = All["length"] extends N ? All : Row<N, [...All, 1]>;
${Array.from({ length: 400 }, (_, n) => `const f${n} = (x: [Row<${900 + (n % 90)}>, ${n}]): [Row<${800 + (n % 90)}>, ${n}] => x;`).join("\n")}`;

/** What every type checker must do; each one created is disposed at the end. */
export function describeTypeChecker(
  name: string,
  create: (options: { readonly timeoutMs?: number }) => TypeChecker,
): void {
  describe(name, () => {
    const signal = new AbortController().signal;
    let checker: TypeChecker;
    beforeAll(() => {
      checker = create({});
    });
    afterAll(() => checker[Symbol.asyncDispose]());
    const check = (code: string, declarations = DECLARATIONS) =>
      checker.check({ code, declarations }, signal);

    test("[C14] code that fits the declarations has no diagnostics", async () => {
      const code = `const open = await tools.issues.list({ state: "open" });
        for (const { id, title } of open) {
          try { await tools.issues.close({ id }); console.log(title.toUpperCase(), Date.now(), Math.random()) }
          catch (error) { console.warn((error as ToolError).code, error instanceof Error ? error.message : "") }
        }
        return { closed: open.length, json: JSON.stringify([...new Set(open)].at(-1)) };`;
      expect(await check(code)).toEqual([]);
      expect(await check("")).toEqual([]);
    });

    test("[C14] a mistake is reported with its code, and its place in the code", async () => {
      expect(await check('\n  await tools.issues.close({ id: "1" });')).toEqual([
        { line: 2, column: 30, code: "TS2322", message: "Type 'string' is not assignable to type 'number'." },
      ]);
      expect(await check("tools.issues.open()")).toMatchObject([{ line: 1, column: 14, code: "TS2339" }]);
      expect(await check("const é = '日本'; missing")).toMatchObject([
        { line: 1, column: 17, code: "TS2304" },
      ]);
      expect(await check("const x: any = 1;\r\nmissing")).toMatchObject([{ line: 2, column: 1 }]);
    });

    test("[C14] it is strict", async () => {
      expect(await check("const f = (x) => x; return f(1)")).toMatchObject([{ code: "TS7006" }]);
      expect(
        await check("const all = await tools.issues.list(); return all.find((i) => i.id === 1).title"),
      ).toMatchObject([{ code: "TS2532" }]);
    });

    test("[C15] syntax errors are reported inside the code, even at its end", async () => {
      expect(await check("const a = 1;\nconst b = ;")).toMatchObject([
        { line: 2, column: 11, code: "TS1109" },
      ]);
      for (const code of ["return {", "if (true) {\n", "const x = `abc", "/* open", "(("]) {
        const [first] = await check(code);
        expect(first, code).toBeDefined();
        expect(first?.line).toBeLessThanOrEqual(code.split("\n").length);
      }
    });

    test("[C16] the reasons under a message come with it", async () => {
      const code = `const close: (input: { id: string }) => Promise<unknown> = tools.issues.close; return close`;
      const [diagnostic] = await check(code);
      expect(diagnostic?.message.split("\n").length).toBeGreaterThan(2);
      expect(diagnostic?.message).toContain("\n        Type 'string' is not assignable to type 'number'.");
    });

    test("[C17] imports, exports, missing APIs and syntax that cannot be erased are explained", async () => {
      for (const code of [
        'import fs from "fs"',
        'const fs = await import("node:fs/promises")',
        'const fs = require("fs")',
        "export const a = 1",
        "export default 1",
        "export {}",
        'import type { X } from "x"',
      ]) {
        const found = await check(code);
        expect(found[0]?.message, code).toContain("cannot import or export");
        expect(JSON.stringify(found), code).not.toContain("npm");
      }
      for (const code of [
        "process.exit()",
        'fetch("x")',
        "setTimeout(() => {}, 1)",
        "document.title",
        'Buffer.from("")',
      ]) {
        expect(await check(code), code).toMatchObject([
          { message: expect.stringContaining("A cell has only tools") },
        ]);
      }
      for (const code of [
        "enum A { x }",
        "class A { constructor(private x: number) {} }",
        'return <string>"a"',
      ]) {
        expect(await check(code), code).toMatchObject([{ message: expect.stringContaining("erasable") }]);
      }
    });

    test("[C18] nothing on the disk can be seen", async () => {
      for (const specifier of [
        "/etc/passwd",
        "../../../../package.json",
        "./tools.d.ts",
        "typescript",
        "vitest",
        "@types/node",
      ]) {
        expect(
          await check(`let x: typeof import(${JSON.stringify(specifier)}); return 1`),
          specifier,
        ).not.toEqual([]);
      }
      expect(await check('/// <reference types="node" />\nreturn process.pid')).toMatchObject([{ line: 2 }]);
      expect(await check('/// <reference lib="dom" />\nreturn document')).toMatchObject([{ line: 2 }]);
      for (const directive of ["nocheck", "ignore", "expect-error"]) {
        expect(await check(`// @ts-${directive}\nreturn missing`)).toMatchObject([
          { line: 2, code: "TS2304" },
        ]);
      }
    });

    test("[C19] declarations may differ from check to check", async () => {
      expect(await check("tools.a()", "declare const tools: { a(): void };")).toEqual([]);
      expect(await check("tools.a()", "declare const tools: { b(): void };")).toMatchObject([
        { code: "TS2339" },
      ]);
      expect(await check("tools.a()", "declare const tools: { a(): void };")).toEqual([]);
    });

    test("[C19] checks asked for at once each get their own answer", async () => {
      const codes = Array.from({ length: 8 }, (_, n) =>
        n % 2 === 0 ? `return ${n}` : `\n`.repeat(n) + "missing",
      );
      const lines = (await Promise.all(codes.map((code) => check(code)))).map(([first]) => first?.line ?? 0);
      expect(lines).toEqual([0, 2, 0, 4, 0, 6, 0, 8]);
    });

    test("[C20] a check that takes too long is given up, and the next one works", async () => {
      await using impatient = create({ timeoutMs: 1_000 });
      await impatient.check({ code: "return 1", declarations: "" }, signal);
      const bomb = impatient.check({ code: TYPE_BOMB, declarations: "" }, signal);
      const behind = impatient.check({ code: "missing", declarations: "" }, signal);
      await expect(bomb).rejects.toMatchObject({ code: "checker_timeout" });
      expect(await behind).toMatchObject([{ code: "TS2304" }]);
    });

    test("[C21] an abort rejects with its reason, waiting or running, and the next check works", async () => {
      const reason = new Error("enough");
      await expect(checker.check({ code: "", declarations: "" }, AbortSignal.abort(reason))).rejects.toBe(
        reason,
      );
      const controller = new AbortController();
      const running = checker.check({ code: TYPE_BOMB, declarations: "" }, controller.signal);
      const waiting = checker.check({ code: "return 1", declarations: "" }, controller.signal);
      setTimeout(() => controller.abort(reason), 100);
      await expect(running).rejects.toBe(reason);
      await expect(waiting).rejects.toBe(reason);
      expect(await check("return 1")).toEqual([]);
    });
  });
}
