import { runInNewContext } from "node:vm";
import { type TypeStripper, wrapCell } from "@deputy/codemode";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

/** Programs; the text between « and » is types, and must become blanks. */
const PROGRAMS: readonly string[] = [
  "",
  "return 1 // as number",
  "const a«: number» = 1;\nconst f = async «<T>»(x«: T»)«: Promise<T>» => x;\nreturn (await f(a))« as unknown»;",
  "«interface A { a: 1 }»\n«type B = A;»\nreturn 1",
  "«declare const hidden: number;» return typeof hidden",
  "«function f(a: number): string;»\nfunction f(a«: unknown») { return a }\nreturn f(1) «satisfies unknown»",
  "class A«<T> implements Iterable<T>» { «declare x: number;» «private readonly» y«?: T» = 1« as never»; *[Symbol.iterator]() {} }\nreturn new A«<string>»()",
  "const o = { a: { b: [1] } }; return o«!».a«!».b«!»[0]«!»",
  "for (const x of [1]« as const») { const y«: typeof x» = x; return y }",
  "try { throw 1 } catch (e«: unknown») { return e }",
  "return `type A = ${1« as number»}: number`",
  "return /a: number/.test('x as y') ? 1 : 2",
  "const é«: 'é日本'» = '日本 😀'; return é",
  "«type Wide = '日本😀';» return 1",
  "return 1« as number»;\r\nreturn 2« as number»;\r\n",
  "«type A = 1;»\u2028return 1",
  "\ufeffreturn 1« as number»",
];

const without = (program: string): string => program.replaceAll(/[«»]/g, "");
/** Blanks for the types, with line breaks kept; any kind of blank will do. */
const erased = (program: string): string =>
  program.replaceAll(/«([^»]*)»/g, (_all, types: string) => types.replaceAll(/[^\r\n\u2028\u2029]/g, " "));
const blanked = (text: string): string => text.replaceAll(/[^\S\r\n\u2028\u2029]/g, " ");
const linesOf = (text: string): readonly number[] =>
  text.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => line.length);

/** What the cell runner needs from every stripper. */
export function describeTypeStripper(name: string, create: () => TypeStripper): void {
  describe(name, () => {
    const stripper = create();
    const strip = (code: string): string => stripper.strip(code);
    const refused = expect.objectContaining({ code: "not_erasable", message: expect.stringMatching(/\S/) });
    const valueOf = (code: string): Promise<unknown> => runInNewContext(`${wrapCell(strip(code))}()`);

    test.each(PROGRAMS)(
      "[C23] replaces types by blanks and leaves everything else in place: %j",
      (program) => {
        expect(blanked(strip(without(program)))).toBe(blanked(erased(program)));
      },
    );

    test("[C23] anywhere among other code", () => {
      const programs = fc.array(
        fc.constantFrom(...PROGRAMS.filter((program) => !program.includes("return 1 //"))),
      );
      fc.assert(
        fc.property(programs, fc.constantFrom("\n", "\r\n"), (parts, newline) => {
          const program = parts.map((part) => `{ ${part}${newline}}`).join(newline);
          expect(blanked(strip(without(program)))).toBe(blanked(erased(program)));
        }),
      );
    });

    test.each(PROGRAMS)("[C23] leaves code without types alone: %j", (program) => {
      const plain = erased(program);
      expect(strip(plain)).toBe(plain);
    });

    test.each([
      ["const f = (x: number):\n number => x + 1;\nreturn f(1)", 2],
      ["let x = 1\ntype T = 1\n(0, x = 2)\nreturn x", 2],
      ["let x = 1 as number\n;[x] = [3]\nreturn x", 3],
      ["const f = async <\nT>(x: T) => x;\nreturn await f(4)", 4],
      ["return ((5 as number) satisfies number)!", 5],
    ])("[C23] %j means the same without its types, in lines of the same length", async (code, value) => {
      expect(await valueOf(code)).toBe(value);
      expect(linesOf(strip(code))).toEqual(linesOf(code));
    });

    test.each([
      "enum A { x }",
      "namespace N { export const a = 1 }",
      "class A { constructor(private x: 1) {} }",
    ])("[C23] refuses %j, which would need JavaScript of its own", (code) => {
      expect(() => strip(code)).toThrow(refused);
    });

    test.each([
      "const a = ;",
      "return {",
      "}",
      "const",
      "return `open",
      "return 1 /* open",
      "\0",
      "export const a = 1",
    ])("[C23] refuses %j, which is not a program", (code) => {
      expect(() => strip(code)).toThrow(refused);
    });

    test.each<readonly [what: string, code: (depth: number) => string]>([
      ["objects", (n) => `return ${"{a:".repeat(n)}1${"}".repeat(n)}`],
      ["blocks", (n) => `${"{".repeat(n)}${"}".repeat(n)}`],
      ["types", (n) => `const a${": {a".repeat(n)}${"}".repeat(n)} = 1`],
      ["signs", (n) => `return ${"- ".repeat(n)}1`],
      ["functions", (n) => `return ${"a => ".repeat(n)}1`],
    ])("[C24] erases or refuses endlessly nested %s, and the next program works", (_what, code) => {
      for (const depth of [1_000, 5_000, 5_000, 20_000]) {
        const deep = code(depth);
        try {
          expect(strip(deep)).toHaveLength(deep.length);
        } catch (error) {
          expect(error).toEqual(refused);
        }
        expect(strip("return 1 as number")).toBe("return 1          ");
      }
    });
  });
}
