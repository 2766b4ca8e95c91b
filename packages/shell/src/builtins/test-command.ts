import { isNumeric, testBinary, testUnary } from "../run/evaluate-test.ts";
import type { Shell } from "../run/shell.ts";
import { type Builtin, type BuiltinTable, refuse } from "./builtin.ts";

class TestProblem extends Error {}

const UNARY = /^-[abcdefghknoprstuvwxzGLNORS]$/;
const BINARY = new Set([
  "=",
  "==",
  "!=",
  "<",
  ">",
  "-eq",
  "-ne",
  "-lt",
  "-le",
  "-gt",
  "-ge",
  "-nt",
  "-ot",
  "-ef",
]);

const test: Builtin = (shell, words) => {
  const [name = "test"] = words;
  let args = words.slice(1);
  if (name === "[") {
    if (args.at(-1) !== "]") return refuse(shell, "[", "missing `]'", 2);
    args = args.slice(0, -1);
  }
  try {
    return new Evaluator(shell, args).evaluate() ? 0 : 1;
  } catch (error) {
    if (error instanceof TestProblem) return refuse(shell, name, error.message, 2);
    throw error;
  }
};

class Evaluator {
  readonly #shell: Shell;
  readonly #args: readonly string[];
  #at = 0;

  constructor(shell: Shell, args: readonly string[]) {
    this.#shell = shell;
    this.#args = args;
  }

  evaluate(): boolean {
    const args = this.#args;
    const [a = "", b = "", c = "", d = ""] = args;
    switch (args.length) {
      case 0:
        return false;
      case 1:
        return a !== "";
      case 2:
        return this.#two(a, b);
      case 3:
        return this.#three(a, b, c);
      case 4:
        if (a === "!") return !this.#three(b, c, d);
        if (a === "(" && d === ")") return this.#two(b, c);
    }
    const result = this.#or();
    if (this.#at < args.length) throw new TestProblem("too many arguments");
    return result;
  }

  #two(a: string, b: string): boolean {
    if (a === "!") return b === "";
    if (UNARY.test(a)) return testUnary(this.#shell, a, b);
    throw new TestProblem(`${a}: unary operator expected`);
  }

  #three(a: string, b: string, c: string): boolean {
    if (BINARY.has(b)) return this.#binary(a, b, c);
    if (b === "-a") return a !== "" && c !== "";
    if (b === "-o") return a !== "" || c !== "";
    if (a === "!") return !this.#two(b, c);
    if (a === "(" && c === ")") return b !== "";
    throw new TestProblem(`${b}: binary operator expected`);
  }

  #binary(a: string, operator: string, b: string): boolean {
    if (isNumeric(operator)) {
      for (const side of [a, b]) {
        if (!/^\s*[+-]?\d+\s*$/.test(side)) throw new TestProblem(`${side}: integer expression expected`);
      }
    }
    return testBinary(this.#shell, operator, a, b, "digits");
  }

  #or(): boolean {
    let value = this.#and();
    while (this.#args[this.#at] === "-o") {
      this.#at += 1;
      const right = this.#and();
      value ||= right;
    }
    return value;
  }

  #and(): boolean {
    let value = this.#not();
    while (this.#args[this.#at] === "-a") {
      this.#at += 1;
      const right = this.#not();
      value &&= right;
    }
    return value;
  }

  #not(): boolean {
    if (this.#args[this.#at] === "!") {
      this.#at += 1;
      return !this.#not();
    }
    return this.#primary();
  }

  #primary(): boolean {
    const [a, b, c] = this.#args.slice(this.#at, this.#at + 3);
    if (a === undefined) throw new TestProblem("argument expected");
    if (a === "(") {
      this.#at += 1;
      const value = this.#or();
      if (this.#args[this.#at] !== ")") throw new TestProblem("`)' expected");
      this.#at += 1;
      return value;
    }
    if (b !== undefined && c !== undefined && BINARY.has(b)) {
      this.#at += 3;
      return this.#binary(a, b, c);
    }
    if (UNARY.test(a) && b !== undefined) {
      this.#at += 2;
      return testUnary(this.#shell, a, b);
    }
    this.#at += 1;
    return a !== "";
  }
}

export const testBuiltins: BuiltinTable = { test, "[": test };
