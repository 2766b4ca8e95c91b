import { parseNumber, type Value } from "./value.ts";

/** A variable, or an element of an array; the subscript is evaluated by whoever knows what kind of array it is. */
export interface Place {
  readonly name: string;
  readonly subscript: string | undefined;
}

export type Expression =
  | { readonly kind: "number"; readonly value: Value }
  | { readonly kind: "place"; readonly place: Place }
  | {
      readonly kind: "binary";
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
      readonly source: string;
      readonly rest: string;
    }
  | { readonly kind: "and" | "or" | "comma"; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "ternary"; readonly test: Expression; readonly yes: Expression; readonly no: Expression }
  | { readonly kind: "negate" | "invert" | "not" | "plus"; readonly operand: Expression }
  | {
      readonly kind: "assign";
      readonly place: Place;
      /** `+` for `+=`; empty for `=`. */
      readonly operator: string;
      readonly value: Expression;
      readonly source: string;
      readonly rest: string;
    }
  | {
      readonly kind: "step";
      readonly place: Place;
      readonly by: 1 | -1;
      readonly result: "before" | "after";
    };

/** An expression that cannot be parsed or computed, in bash's words. */
export class ArithmeticProblem extends Error {
  constructor(source: string, message: string, rest: string) {
    super(`${source.trimStart()}: ${message} (error token is "${rest}")`);
  }
}

const TOKEN =
  /\s*(?:(\d[\w@#]*)|([A-Za-z_]\w*)|(<<=|>>=|\*\*|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%<>=!~&|^?:,()]))/y;

const LEVELS: readonly (readonly string[])[] = [
  ["||"],
  ["&&"],
  ["|"],
  ["^"],
  ["&"],
  ["==", "!="],
  ["<", ">", "<=", ">="],
  ["<<", ">>"],
  ["+", "-"],
  ["*", "/", "%"],
];
const ASSIGNING = new Set(["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="]);

/** Throws `ArithmeticProblem`. An empty text is 0. */
export function parseArithmetic(source: string): Expression {
  if (source.trim() === "") return { kind: "number", value: 0 };
  const parser = new Parser(source);
  return parser.parse();
}

class Parser {
  readonly #source: string;
  #at = 0;
  #token = "";
  #kind: "number" | "name" | "operator" | "end" = "end";
  #from = 0;

  constructor(source: string) {
    this.#source = source;
    this.#next();
  }

  parse(): Expression {
    const expression = this.#comma();
    if (this.#kind !== "end") this.#fail("syntax error in expression");
    return expression;
  }

  #rest(from = this.#from): string {
    return this.#source.slice(from).trimStart();
  }

  #fail(message: string, from?: number): never {
    throw new ArithmeticProblem(this.#source, message, this.#rest(from));
  }

  #next(): void {
    TOKEN.lastIndex = this.#at;
    const match = TOKEN.exec(this.#source);
    if (match === null) {
      this.#from = this.#at;
      this.#token = "";
      if (this.#source.slice(this.#at).trim() !== "") {
        this.#fail(
          this.#kind === "end" || this.#kind === "operator"
            ? "syntax error: operand expected"
            : "syntax error: invalid arithmetic operator",
        );
      }
      this.#kind = "end";
      return;
    }
    const [whole, number, name, operator] = match;
    this.#at += whole.length;
    this.#token = number ?? name ?? operator ?? "";
    this.#from = this.#at - this.#token.length;
    this.#kind = number !== undefined ? "number" : name !== undefined ? "name" : "operator";
  }

  #is(...tokens: readonly string[]): boolean {
    return this.#kind === "operator" && tokens.includes(this.#token);
  }

  #comma(): Expression {
    let left = this.#assign();
    while (this.#is(",")) {
      this.#next();
      left = { kind: "comma", left, right: this.#assign() };
    }
    return left;
  }

  #assign(): Expression {
    const from = this.#from;
    const left = this.#ternary();
    if (this.#kind !== "operator" || !ASSIGNING.has(this.#token)) return left;
    if (left.kind !== "place" || this.#source.charAt(from) === "(")
      this.#fail("attempted assignment to non-variable");
    const operator = this.#token.slice(0, -1);
    this.#next();
    const at = this.#from;
    const value = this.#assign();
    return { kind: "assign", place: left.place, operator, value, source: this.#source, rest: this.#rest(at) };
  }

  #ternary(): Expression {
    const test = this.#binary(0);
    if (!this.#is("?")) return test;
    this.#next();
    if (this.#is(":")) this.#fail("expression expected");
    const yes = this.#comma();
    if (!this.#is(":")) this.#fail("`:' expected for conditional expression");
    this.#next();
    if (this.#kind === "end") this.#fail("expression expected");
    return { kind: "ternary", test, yes, no: this.#assign() };
  }

  #binary(level: number): Expression {
    const operators = LEVELS[level];
    if (operators === undefined) return this.#power();
    let left = this.#binary(level + 1);
    while (this.#kind === "operator" && operators.includes(this.#token)) {
      const operator = this.#token;
      this.#next();
      const from = this.#from;
      const right = this.#binary(level + 1);
      if (operator === "&&") left = { kind: "and", left, right };
      else if (operator === "||") left = { kind: "or", left, right };
      else left = { kind: "binary", operator, left, right, source: this.#source, rest: this.#rest(from) };
    }
    return left;
  }

  #power(): Expression {
    const left = this.#unary();
    if (!this.#is("**")) return left;
    this.#next();
    const from = this.#from;
    const right = this.#power();
    return { kind: "binary", operator: "**", left, right, source: this.#source, rest: this.#rest(from) };
  }

  #unary(): Expression {
    if (this.#is("!", "~", "-", "+")) {
      const sign = this.#token;
      this.#next();
      const operand = this.#unary();
      return {
        kind: sign === "!" ? "not" : sign === "~" ? "invert" : sign === "-" ? "negate" : "plus",
        operand,
      };
    }
    if (this.#is("++", "--")) {
      const by = this.#token === "++" ? 1 : -1;
      this.#next();
      if (this.#kind === "name") {
        const place = this.#place();
        return { kind: "step", place, by, result: "after" };
      }
      // `--5` is `-(-5)`.
      const operand = this.#unary();
      return by === 1 ? operand : { kind: "negate", operand: { kind: "negate", operand } };
    }
    return this.#primary();
  }

  #primary(): Expression {
    if (this.#kind === "number") {
      const value = parseNumber(this.#token);
      if (typeof value === "string") this.#fail(value);
      this.#next();
      return { kind: "number", value };
    }
    if (this.#kind === "name") {
      const place = this.#place();
      if (this.#is("++", "--")) {
        const by = this.#token === "++" ? 1 : -1;
        this.#next();
        return { kind: "step", place, by, result: "before" };
      }
      return { kind: "place", place };
    }
    if (this.#is("(")) {
      this.#next();
      const inner = this.#comma();
      if (!this.#is(")")) this.#fail("missing `)'");
      this.#next();
      return inner;
    }
    return this.#fail("syntax error: operand expected");
  }

  #place(): Place {
    const name = this.#token;
    if (this.#source.charAt(this.#at) !== "[") {
      this.#next();
      return { name, subscript: undefined };
    }
    const end = this.#bracketEnd(this.#at + 1);
    const subscript = this.#source.slice(this.#at + 1, end);
    this.#at = end + 1;
    this.#next();
    return { name, subscript };
  }

  #bracketEnd(from: number): number {
    let depth = 0;
    for (let i = from; i < this.#source.length; i += 1) {
      const char = this.#source.charAt(i);
      if (char === "[") depth += 1;
      if (char === "]") {
        if (depth === 0) return i;
        depth -= 1;
      }
    }
    throw new ArithmeticProblem(this.#source, "bad array subscript", this.#rest());
  }
}
