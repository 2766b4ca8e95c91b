import type { Word } from "./word.ts";

/** What a text means, in the shape in which it is run. */
export interface Script {
  readonly statements: readonly Statement[];
  /** Set if something cannot be parsed; the statements before its line are run first, as bash does. */
  readonly error: SyntaxProblem | undefined;
  readonly source: string;
}

export interface SyntaxProblem {
  readonly line: number;
  /** As bash says it, without `bash: line 1: `. */
  readonly lines: readonly string[];
  /** Nothing from here on is run. */
  readonly fromLine: number;
  readonly fromPos: number;
}

export interface Statement {
  readonly node: Node;
  readonly background: boolean;
  readonly line: number;
  readonly endLine: number;
  /** Where it is in the source, for `jobs`, `set -v` and aliases. */
  readonly pos: number;
  readonly end: number;
  readonly source: string;
}

export type Node =
  | Simple
  | Pipeline
  | AndOr
  | Group
  | Subshell
  | If
  | While
  | For
  | ArithmeticFor
  | Select
  | Case
  | Test
  | Arithmetic
  | FunctionDefinition
  | Redirected
  | Coproc;

export type List = readonly Statement[];

export interface Simple {
  readonly kind: "simple";
  readonly line: number;
  readonly assignments: readonly Assignment[];
  /** `declare a=(1)` has assignments among its words. */
  readonly words: readonly Argument[];
  readonly redirects: readonly Redirect[];
  readonly pos: number;
  readonly end: number;
  readonly source: string;
}

export type Argument =
  | { readonly kind: "words"; readonly expanded: readonly Word[] | undefined; readonly plain: Word }
  | { readonly kind: "assignment"; readonly assignment: Assignment; readonly plain: Word };

export interface Assignment {
  readonly name: string;
  readonly subscript: Word | undefined;
  readonly append: boolean;
  readonly value: Word | ArrayLiteral;
}

export interface ArrayLiteral {
  readonly kind: "array";
  readonly elements: readonly ArrayElement[];
}

export type ArrayElement =
  | { readonly kind: "words"; readonly argument: Argument }
  | {
      readonly kind: "keyed";
      readonly subscript: Word;
      readonly append: boolean;
      readonly value: Word;
      readonly plain: Word;
    };

export interface Redirect {
  readonly operator: ">" | ">>" | "<" | "<>" | "<&" | ">&" | ">|" | "&>" | "&>>" | "<<" | "<<<";
  readonly descriptor: number | string | undefined;
  readonly target: Word;
  /** How a here-document was written, to print it again. */
  readonly delimiter: string | undefined;
  readonly line: number;
}

export interface Pipeline {
  readonly kind: "pipeline";
  readonly commands: readonly Node[];
  /** True at `i` if stderr of command `i` goes into the pipe as well. */
  readonly both: readonly boolean[];
  readonly negations: number;
  readonly time: "none" | "time" | "posix";
  readonly line: number;
}

export interface AndOr {
  readonly kind: "and-or";
  readonly commands: readonly Node[];
  readonly operators: readonly ("&&" | "||")[];
}

export interface Group {
  readonly kind: "group";
  readonly body: List;
}

export interface Subshell {
  readonly kind: "subshell";
  readonly body: List;
  readonly line: number;
}

export interface If {
  readonly kind: "if";
  readonly clauses: readonly { readonly test: List; readonly body: List }[];
  readonly otherwise: List | undefined;
}

export interface While {
  readonly kind: "while";
  readonly until: boolean;
  readonly test: List;
  readonly body: List;
}

export interface For {
  readonly kind: "for";
  readonly name: string;
  readonly words: readonly Argument[] | undefined;
  readonly body: List;
  readonly line: number;
}

export interface ArithmeticFor {
  readonly kind: "arithmetic-for";
  readonly start: Word;
  readonly test: Word;
  readonly step: Word;
  readonly body: List;
  readonly line: number;
}

export interface Select {
  readonly kind: "select";
  readonly name: string;
  readonly words: readonly Argument[] | undefined;
  readonly body: List;
  readonly line: number;
}

export interface Case {
  readonly kind: "case";
  readonly word: Word;
  readonly items: readonly {
    readonly patterns: readonly Word[];
    readonly body: List;
    readonly next: ";;" | ";&" | ";;&";
  }[];
  readonly line: number;
}

export interface Test {
  readonly kind: "test";
  readonly expression: TestExpression;
  readonly line: number;
}

export type TestExpression =
  | { readonly kind: "unary"; readonly operator: string; readonly operand: Word }
  | { readonly kind: "binary"; readonly operator: string; readonly left: Word; readonly right: Word }
  | { readonly kind: "and" | "or"; readonly operands: readonly TestExpression[] }
  | { readonly kind: "not"; readonly operand: TestExpression };

export interface Arithmetic {
  readonly kind: "arithmetic";
  readonly text: Word;
  readonly line: number;
}

export interface FunctionDefinition {
  readonly kind: "function";
  readonly name: string;
  readonly body: Node;
  readonly line: number;
  /** How it was written. */
  readonly source: string;
}

export interface Redirected {
  readonly kind: "redirected";
  readonly command: Node;
  readonly redirects: readonly Redirect[];
  readonly line: number;
}

export interface Coproc {
  readonly kind: "coproc";
  readonly name: string;
  readonly body: Node;
}
