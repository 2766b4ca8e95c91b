import * as unbash from "unbash";
import { type AliasTable, expandAliases } from "./expand-aliases.ts";
import { compileRedirect } from "./compile-redirect.ts";
import { compileArgument, compileAssignment, compileWord, isDeclaration } from "./compile-words.ts";
import { findSyntaxProblem } from "./syntax-problem.ts";
import type { List, Node, Script, Statement, TestExpression } from "./script.ts";
import { parseWord, type WordContext } from "./word-parser.ts";

/** Where a text came from: lines are counted from `firstLine`. */
export interface Source {
  readonly text: string;
  readonly lineOf: (pos: number) => number;
  readonly context: (pos: number) => WordContext;
}

/**
 * Parses a text. Never throws: what cannot be parsed is in `error`. The aliases are those of nested commands; in the
 * text itself they were expanded before.
 */
export function parseScript(text: string, firstLine = 1, aliases: AliasTable = NO_ALIASES): Script {
  const parsed = unbash.parse(text);
  const own = parsed.source ?? text;
  const source = createSource(own, firstLine, aliases);
  const error = findSyntaxProblem(own, parsed, source.lineOf);
  const statements = compileList(parsed.commands, source);
  if (error === undefined) return { statements, error, source: own };
  return { statements: statements.filter(({ endLine }) => endLine < error.fromLine), error, source: own };
}

const NO_ALIASES: AliasTable = new Map();

function createSource(text: string, firstLine: number, aliases: AliasTable): Source {
  const starts = [0];
  for (let i = text.indexOf("\n"); i !== -1; i = text.indexOf("\n", i + 1)) starts.push(i + 1);
  const lineOf = (pos: number): number => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= pos) low = middle;
      else high = middle - 1;
    }
    return firstLine + low;
  };
  const parseNested = (nested: string, line: number): Script => {
    const expanded = aliases.size === 0 ? nested : expandAliases(nested, aliases, "all");
    return parseScript(expanded, line, aliases);
  };
  return { text, lineOf, context: (pos) => ({ parseNested, line: lineOf(pos) }) };
}

function compileList(statements: readonly unbash.Statement[], source: Source): List {
  return statements.map((statement): Statement => ({
    node: compileNode(statement.command, source),
    background: statement.background === true,
    line: source.lineOf(statement.pos),
    endLine: source.lineOf(Math.max(statement.pos, statement.end - 1)),
    pos: statement.pos,
    end: statement.end,
    source: source.text,
  }));
}

type Compilable = unbash.Statement["command"] | unbash.CompoundList;

function compileNode(node: Compilable, source: Source): Node {
  const line = source.lineOf(node.pos);
  const list = (of: unbash.CompoundList): List => compileList(of.commands, source);
  switch (node.type) {
    case "Command":
      return compileSimple(node, source);
    case "Pipeline":
      return {
        kind: "pipeline",
        commands: node.commands.map((command) => compileNode(command, source)),
        both: node.operators.map((operator) => operator === "|&"),
        negations: node.prefixes.filter(({ type }) => type === "Negation").length,
        time: timeOf(node.prefixes),
        line,
      };
    case "AndOr":
      return {
        kind: "and-or",
        commands: node.commands.map((command) => compileNode(command, source)),
        operators: node.operators,
      };
    case "CompoundList":
      return { kind: "group", body: list(node) };
    case "BraceGroup":
      return { kind: "group", body: list(node.body) };
    case "Subshell":
      return { kind: "subshell", body: list(node.body), line };
    case "If":
      return {
        kind: "if",
        clauses: [node, ...node.elif].map((clause) => ({
          test: list(clause.clause),
          body: list(clause.then),
        })),
        otherwise: node.else === undefined ? undefined : list(node.else),
      };
    case "While":
      return { kind: "while", until: node.kind === "until", test: list(node.clause), body: list(node.body) };
    case "For":
    case "Select":
      return {
        kind: node.type === "For" ? "for" : "select",
        name: node.name.text,
        words: node.wordlist?.map((word) => compileArgument(word, source)),
        body: list(node.body),
        line,
      };
    case "ArithmeticFor":
      return compileArithmeticFor(node, source, list(node.body));
    case "Case":
      return {
        kind: "case",
        word: compileWord(node.word, source),
        items: node.items.map((item) => ({
          patterns: item.pattern.map((pattern) => compileWord(pattern, source)),
          body: list(item.body),
          next: item.terminator ?? ";;",
        })),
        line,
      };
    case "TestCommand":
      return { kind: "test", expression: compileTest(node.expression, source), line };
    case "ArithmeticCommand":
      return { kind: "arithmetic", text: parseWord(node.body, "arithmetic", source.context(node.pos)), line };
    case "Function":
      return {
        kind: "function",
        name: node.name.text,
        body: compileNode(node.body, source),
        line,
        source: source.text.slice(node.pos, node.end),
      };
    case "Redirected":
      return {
        kind: "redirected",
        command: compileNode(node.command, source),
        redirects: node.redirects.map((redirect) => compileRedirect(redirect, source)),
        line: source.lineOf(node.pos),
      };
    case "Coproc":
      return { kind: "coproc", name: node.name?.text ?? "COPROC", body: compileNode(node.body, source) };
    default:
      return node satisfies never;
  }
}

function timeOf(prefixes: readonly unbash.PipelinePrefix[]): "none" | "time" | "posix" {
  const time = prefixes.find(({ type }) => type === "Time");
  if (time?.type !== "Time") return "none";
  return time.posix === undefined ? "time" : "posix";
}

function compileSimple(node: unbash.Command, source: Source): Node {
  const words: (unbash.Word | unbash.Assignment)[] = node.name === undefined ? [] : [node.name];
  const redirects: unbash.Redirection[] = [];
  const assignments: unbash.Assignment[] = [];
  for (const item of node.prefix) {
    if (item.type === "Assignment") assignments.push(item);
    else redirects.push(item);
  }
  for (const item of node.suffix) {
    if (item.type === "Word" || item.type === "Assignment") words.push(item);
    else redirects.push(item);
  }
  const declares = isDeclaration(words);
  return {
    kind: "simple",
    line: source.lineOf(node.pos),
    assignments: assignments.map((assignment) => compileAssignment(assignment, source)),
    words: words.map((word, i) => compileArgument(word, source, declares && i > 0 ? "declares" : "plain")),
    redirects: redirects.map((redirect) => compileRedirect(redirect, source)),
    pos: node.pos,
    end: node.end,
    source: source.text,
  };
}

function compileArithmeticFor(node: unbash.ArithmeticFor, source: Source, body: List): Node {
  const head = source.text.slice(node.pos, node.body.pos);
  const from = head.indexOf("((") + 2;
  const inner = head.slice(from, head.lastIndexOf("))"));
  const texts = [""];
  let depth = 0;
  for (const char of inner) {
    if (char === "(") depth += 1;
    if (char === ")") depth -= 1;
    if (char === ";" && depth === 0) texts.push("");
    else texts.push(`${texts.pop() ?? ""}${char}`);
  }
  const context = source.context(node.pos);
  const [start = "", test = "", step = ""] = texts.map((text) => text.trim());
  return {
    kind: "arithmetic-for",
    start: parseWord(start, "arithmetic", context),
    test: parseWord(test, "arithmetic", context),
    step: parseWord(step, "arithmetic", context),
    body,
    line: source.lineOf(node.pos),
  };
}

function compileTest(node: unbash.TestExpression, source: Source): TestExpression {
  switch (node.type) {
    case "TestUnary":
      return { kind: "unary", operator: node.operator, operand: compileWord(node.operand, source) };
    case "TestBinary":
      return {
        kind: "binary",
        operator: node.operator,
        left: compileWord(node.left, source),
        right: compileWord(node.right, source),
      };
    case "TestLogical":
      return {
        kind: node.operator === "&&" ? "and" : "or",
        operands: node.operands.map((operand) => compileTest(operand, source)),
      };
    case "TestNot": {
      const operand = compileTest(node.operand, source);
      return node.negations.length % 2 === 1 ? { kind: "not", operand } : operand;
    }
    case "TestGroup":
      return compileTest(node.expression, source);
    default:
      return node satisfies never;
  }
}
