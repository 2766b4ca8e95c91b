import type { TypeChecker } from "@deputy/codemode";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TYPICAL_MISTAKES } from "./typical-mistakes.ts";

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
  create: (options: { readonly timeoutMs?: number; readonly maxProcesses?: number }) => TypeChecker,
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

    test("[C14] reports nothing for code that fits the declarations", async () => {
      const code = `const open = await tools.issues.list({ state: "open" });
        for (const { id, title } of open) {
          try { await tools.issues.close({ id }); console.log(title.toUpperCase(), Date.now(), Math.random()) }
          catch (error) { console.warn((error as ToolError).code, error instanceof Error ? error.message : "") }
        }
        return { closed: open.length, json: JSON.stringify([...new Set(open)].at(-1)) };`;
      expect(await check(code)).toEqual([]);
      expect(await check("")).toEqual([]);
    });

    test("[C14] reports a mistake with its code and its place", async () => {
      const [wrong, ...others] = await check('\n  await tools.issues.close({ id: "1" });');
      expect(wrong).toMatchObject({ line: 2, column: 30, code: "TS2322" });
      expect(wrong?.message.split("\n")[0]).toBe("Type 'string' is not assignable to type 'number'.");
      expect(others).toEqual([]);
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

    test("[C16] a message includes the reasons under it", async () => {
      const code = `const close: (input: { id: string }) => Promise<unknown> = tools.issues.close; return close`;
      const [diagnostic] = await check(code);
      expect(diagnostic?.message.split("\n").slice(0, 4)).toEqual([
        "Type '(input: { id: number }) => Promise<{ id: number }>' is not assignable to type '(input: { id: string }) => Promise<unknown>'.",
        "  Types of parameters 'input' and 'input' are incompatible.",
        "    Type '{ id: string }' is not assignable to type '{ id: number }'.",
        "      Type 'string' is not assignable to type 'number'.",
      ]);
    });

    test("[C16] shows the first reasons of a long chain and the last", async () => {
      const nest = (leaf: string) => `(a: (b: (c: (d: { e: ${leaf} }) => void) => void) => void) => void`;
      const [diagnostic] = await check(
        `const given: ${nest("string")} = null!; const x: ${nest("number")} = given; return x`,
      );
      const said = diagnostic?.message.split("\n  1 |")[0]?.split("\n");
      expect(said?.length).toBe(4);
      expect(said?.at(-1)).toBe("      Type 'string' is not assignable to type 'number'.");
    });

    test("[C17] explains imports, exports, missing APIs and syntax that cannot be erased", async () => {
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

    test("[C18] sees nothing on the disk", async () => {
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

    test("[C18] sees nothing of another catalogue", async () => {
      await check("return 1", "declare const tools: {}; interface Secret { readonly a: 1 }");
      const others = ["../1/tools", "../1/cell", "/cell/1/cell"].map((path) => JSON.stringify(path));
      for (const code of [
        "const x: Secret = { a: 1 }; return x",
        ...others.map((other) => `let x: typeof import(${other}); return x!`),
        '}); /// <reference path="../1/tools.d.ts" />\nlet x: Secret; (async () => {',
      ]) {
        expect(await check(code, "declare const tools: { b(): void };"), code).not.toEqual([]);
      }
    });

    test("[C70] accepts what a cell has", async () => {
      const code = `const all = await Array.fromAsync([1n, 2n].values().map(async (n) => Number(n)));
        const byKind = Object.groupBy(all, (n) => (n % 2 === 0 ? "even" : "odd"));
        const seen = new Map<string, number>(), kept = new WeakMap<object, number>().set(all, 1).has(all);
        const bytes = new Uint8Array([1, 2]).toBase64(), when = new Date(0).toISOString();
        using stack = new DisposableStack();
        return [byKind, seen.getOrInsert("a", 1), kept, bytes, when, structured(), "b".localeCompare("a"),
          (1).toLocaleString(), new Set([1]).union(new Set([2])), Symbol.iterator.toString(), Math.max(1),
          Reflect.ownKeys({}), new Proxy({}, {}), encodeURIComponent("ä"), /a/v.test("a"), RegExp.escape("."),
          JSON.stringify({}), Promise.withResolvers<void>(), globalThis.parseInt("1"), Error.isError(1)];
        function structured(): unknown { return JSON.parse("{}"); }`;
      expect(await check(code)).toEqual([]);
    });

    test.each([
      "Atomics",
      "FinalizationRegistry",
      "Function",
      "Intl",
      "SharedArrayBuffer",
      "WeakRef",
      "eval",
    ])("[C70] refuses %s as a value, and says what to do", async (global) => {
      for (const code of [`return [${global}];`, `return typeof ${global};`]) {
        const [found] = await check(code);
        expect(found?.message, code).toContain(`'${global}' does not exist here. A cell has only tools`);
      }
    });

    test("[C70] refuses locales too, which would be ignored", async () => {
      for (const code of [
        'return (1).toLocaleString("de")',
        'return new Date(0).toLocaleDateString("de", { month: "long" })',
        'return new Date(0).toLocaleTimeString(undefined, { timeZone: "UTC" })',
        'return "a".localeCompare("b", "sv")',
        'return "I".toLocaleLowerCase("tr")',
        'return [1].toLocaleString("de")',
        'return 1n.toLocaleString("de")',
      ]) {
        expect((await check(code))[0]?.message, code).toContain("no effect in a cell");
      }
    });

    test.each(TYPICAL_MISTAKES)("[C71] $what", async ({ code, said }) => {
      const found = await check(code, MISTAKE_DECLARATIONS);
      const lines = found.map((one) => `${one.line}:${one.column} ${one.code} ${one.message}`);
      expect(lines.join("\n")).toBe(said);
    });

    test("[C72] reports at most eight problems in at most 4 KB, and counts the rest", async () => {
      const long = "ä".repeat(80);
      const type = `{ ${Array.from({ length: 40 }, (_, n) => `${long}${n}: { ${long}: "${long}" }`).join("; ")} }`;
      const code = Array.from({ length: 60 }, (_, n) => `const v${n}: ${type} = { ${long}x${n}: 1 };`).join(
        "\n",
      );
      const found = await check(code);
      expect(found.length).toBeGreaterThan(0);
      expect(found.length).toBeLessThanOrEqual(8);
      const bytes = new TextEncoder().encode(found.map(({ message }) => message).join("")).length;
      expect(bytes).toBeLessThanOrEqual(4_096);
      expect(found.at(-1)?.message).toMatch(
        new RegExp(`\\(${60 - found.length} more problems not shown\\)$`),
      );
      const names = Array.from({ length: 9 }, (_, n) => `missing${n};`).join("\n");
      const missing = await check(names);
      expect(missing.length).toBe(8);
      expect(missing.at(-1)?.message).toMatch(/\(1 more problem not shown\)$/);
    });

    test("[C72] leaves out consequences of another problem", async () => {
      const code = "return (await tools.issues.lst()).map((one) => one.id)";
      expect(await check(code)).toMatchObject([{ code: "TS2551" }]);
      expect(await check("return missing.map(({ id }) => id)")).toMatchObject([{ code: "TS2304" }]);
    });

    test("[C72] the same code gets the same text, whatever was checked before", async () => {
      const code = `const { itms } = await tools.issues.list({ sate: "opn" }); return itms`;
      const before = await check(code);
      await check("tools.a()", "declare const tools: { a(): void };");
      await check("nonsense(");
      expect(await check(code)).toEqual(before);
    });

    test("[C19] declarations may differ from check to check", async () => {
      expect(await check("tools.a()", "declare const tools: { a(): void };")).toEqual([]);
      expect(await check("tools.a()", "declare const tools: { b(): void };")).toMatchObject([
        { code: "TS2339" },
      ]);
      expect(await check("tools.a()", "declare const tools: { a(): void };")).toEqual([]);
    });

    test("[C19] concurrent checks each get their own answer", async () => {
      const codes = Array.from({ length: 8 }, (_, n) =>
        n % 2 === 0 ? `return ${n}` : `\n`.repeat(n) + "missing",
      );
      const lines = (await Promise.all(codes.map((code) => check(code)))).map(([first]) => first?.line ?? 0);
      expect(lines).toEqual([0, 2, 0, 4, 0, 6, 0, 8]);
    });

    test("[C20] gives up on a check that takes too long, and the next one works", async () => {
      await using impatient = create({ timeoutMs: 1_000 });
      await impatient.check({ code: "return 1", declarations: "" }, signal);
      const bomb = impatient.check({ code: TYPE_BOMB, declarations: "" }, signal);
      const behind = impatient.check({ code: "missing", declarations: "" }, signal);
      await expect(bomb).rejects.toMatchObject({ code: "checker_timeout" });
      expect(await behind).toMatchObject([{ code: "TS2304" }]);
    });

    test("[C20] several checks may wait behind it, and each gets its own answer", async () => {
      await using impatient = create({ timeoutMs: 1_000, maxProcesses: 1 });
      const bomb = impatient.check({ code: TYPE_BOMB, declarations: "" }, signal);
      const behind = Array.from({ length: 6 }, (_, n) =>
        impatient.check(
          { code: `${"\n".repeat(n)}missing`, declarations: n % 2 === 0 ? "" : DECLARATIONS },
          signal,
        ),
      );
      await expect(bomb).rejects.toMatchObject({ code: "checker_timeout" });
      expect((await Promise.all(behind)).map(([first]) => first?.line)).toEqual([1, 2, 3, 4, 5, 6]);
    });

    test("[C73] a long check blocks neither another session nor its own", async () => {
      await using shared = create({});
      const stop = new AbortController();
      const bomb = shared.check({ code: TYPE_BOMB, declarations: DECLARATIONS }, stop.signal);
      let hasEnded = false;
      const ended = bomb.catch(() => void (hasEnded = true));
      expect(await shared.check({ code: "missing", declarations: "" }, signal)).toMatchObject([
        { code: "TS2304" },
      ]);
      expect(await shared.check({ code: "missing", declarations: DECLARATIONS }, signal)).toMatchObject([
        { code: "TS2304" },
      ]);
      expect(hasEnded).toBe(false);
      stop.abort();
      await ended;
    });

    test("[C21] an abort rejects a waiting or running check with its reason, and the next check works", async () => {
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

/** The tools for typical mistakes. Fixed text, so that the messages about them are fixed too. */
const MISTAKE_DECLARATIONS = `type Issue = {
  id: number;
  title: string;
  state: "closed" | "open";
  labels: string[];
  assignee: { login: string; name?: string } | null;
};
declare const tools: {
  readonly issues: {
    /** Lists issues */
    readonly list: (input?: { state?: "all" | "closed" | "open"; label?: string; limit?: number }) => Promise<Issue[]>;
    readonly create: (input: {
      title: string;
      body: string;
      labels?: ("bug" | "feature" | "question")[];
      priority?: "high" | "low" | "medium";
    }) => Promise<Issue>;
    readonly close: (input: { id: number; reason?: string }) => Promise<{ id: number }>;
  };
  readonly mail: {
    readonly send: (input: {
      to: { address: string; name?: string }[];
      subject: string;
      body: string;
    }) => Promise<{ messageId: string }>;
    readonly search: (input: { query: string }) => Promise<unknown>;
  };
  readonly metrics: {
    readonly query: (input: {
      name: ${Array.from({ length: 300 }, (_, n) => `"metric_${n}"`).join(" | ")};
      from: string;
      to: string;
    }) => Promise<{ points: { at: string; value: number }[]; next?: string }>;
  };
};
`;
