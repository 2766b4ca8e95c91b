import { KitError } from "../keyed-lane.ts";
import { isWordChar, parsePattern } from "./parse-pattern.ts";
import type { Assertion, CharTest, PatternNode } from "./pattern-tree.ts";

/** A search in linear time for any pattern: it never backtracks. */
export interface LinePattern {
  /** True if it occurs in a line, which has no line end. */
  test(line: string): boolean;
  /** Text that every match contains; empty if there is none. */
  readonly literal: string;
}

/** The pattern's length, once its repetitions are written out. */
const MOST_STATES = 5_000;

/** Throws `pattern_invalid`. */
export function compilePattern(source: string, letters: "exact" | "any-case" = "exact"): LinePattern {
  const tree = parsePattern(source, letters);
  const states = toStates(tree);
  const literal = literalOf(tree);
  return { literal, test: (line) => line.includes(literal) && simulate(states, line) };
}

type State =
  | { readonly kind: "char"; readonly accepts: CharTest; next: number }
  | { readonly kind: "assert"; readonly what: Assertion; next: number }
  | { readonly kind: "fork"; readonly nexts: number[] }
  | { readonly kind: "match" };

/** Thompson's construction, from the end: each piece knows what follows it. The first state is created last. */
function toStates(tree: PatternNode): readonly State[] {
  const states: State[] = [{ kind: "match" }];
  const add = (state: State): number => {
    if (states.length >= MOST_STATES)
      throw new KitError("pattern_invalid", "The pattern cannot be used: its repetitions make it too long");
    return states.push(state) - 1;
  };
  const build = (node: PatternNode, next: number): number => {
    if (node.kind === "empty") return next;
    if (node.kind === "char") return add({ kind: "char", accepts: node.accepts, next });
    if (node.kind === "assert") return add({ kind: "assert", what: node.what, next });
    if (node.kind === "sequence") return node.parts.reduceRight((after, part) => build(part, after), next);
    if (node.kind === "choice")
      return add({ kind: "fork", nexts: node.options.map((option) => build(option, next)) });
    let after = next;
    if (node.most === Number.POSITIVE_INFINITY) {
      const loop: State & { kind: "fork" } = { kind: "fork", nexts: [next] };
      after = add(loop);
      loop.nexts.push(build(node.of, after));
    } else {
      for (let extra = node.least; extra < node.most; extra++)
        after = add({ kind: "fork", nexts: [next, build(node.of, after)] });
    }
    for (let needed = 0; needed < node.least; needed++) after = build(node.of, after);
    return after;
  };
  const start = build(tree, 0);
  add({ kind: "fork", nexts: [start] });
  return states;
}

/** Follows all paths at once: each state is entered at most once per character. */
function simulate(states: readonly State[], line: string): boolean {
  const start = states.length - 1;
  let [current, following]: [number[], number[]] = [[], []];
  const enteredAt = new Int32Array(states.length).fill(-1);
  const waiting: number[] = [];

  /** Adds a state and all that it reaches without a character; true if one of them is a match. */
  const enter = (from: number, into: number[], at: number, before: number, after: number): boolean => {
    waiting.push(from);
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (enteredAt[id] === at) continue;
      enteredAt[id] = at;
      const state = states[id];
      if (state?.kind === "match") {
        waiting.length = 0;
        return true;
      }
      if (state?.kind === "fork") waiting.push(...state.nexts);
      else if (state?.kind === "assert") {
        if (holds(state.what, before, after)) waiting.push(state.next);
      } else into.push(id);
    }
    return false;
  };

  let before = -1;
  let at = 0;
  for (let index = 0; ; at++) {
    const code = line.codePointAt(index) ?? -1;
    if (enter(start, current, at, before, code)) return true;
    if (code === -1) return false;
    index += code > 0xffff ? 2 : 1;
    const after = line.codePointAt(index) ?? -1;
    following.length = 0;
    for (const id of current) {
      const state = states[id];
      if (state?.kind !== "char" || !state.accepts(code)) continue;
      if (enter(state.next, following, at + 1, code, after)) return true;
    }
    [current, following] = [following, current];
    before = code;
  }
}

function holds(what: Assertion, before: number, after: number): boolean {
  if (what === "start") return before === -1;
  if (what === "end") return after === -1;
  const isBoundary = isWordChar(before) !== isWordChar(after);
  return what === "boundary" ? isBoundary : !isBoundary;
}

/** The longest run of plain characters that every match contains. */
function literalOf(tree: PatternNode): string {
  const parts = tree.kind === "sequence" ? tree.parts : [tree];
  const runs = [""];
  for (const part of parts) {
    if (part.kind === "char" && part.literal !== undefined) runs.push((runs.pop() ?? "") + part.literal);
    else if (part.kind !== "assert") runs.push("");
  }
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest), "");
}

/**
 * True if a path matches a glob: `*` and `?` within a name, `**` over folders, `[a-z]`, `{a,b}`. Throws
 * `pattern_invalid`.
 */
export function compileGlob(glob: string): (path: string) => boolean {
  const pattern = compilePattern(`^(?:${toPattern(glob)})$`);
  return (path) => pattern.test(path);
}

function toPattern(glob: string): string {
  let braces = 0;
  const pattern = glob.replace(TOKEN, (token) => {
    if (token === "**/") return "(?:.*/)?";
    if (token.startsWith("**")) return ".*";
    if (token === "*") return "[^/]*";
    if (token === "?") return "[^/]";
    if (token === "{") braces++;
    if (token === "{") return "(?:";
    if (token === "}" && braces > 0) {
      braces--;
      return ")";
    }
    if (token === "," && braces > 0) return "|";
    if (token.length > 2 && token.startsWith("["))
      return token.replace(/^\[!/, "[^").replaceAll("\\", "\\\\");
    return `\\${token.at(-1) ?? ""}`.replace(/^\\([\w,])$/, "$1");
  });
  if (braces > 0) throw new KitError("pattern_invalid", "The pattern cannot be used: a { is not closed");
  return pattern;
}

const TOKEN = /\*\*\/|\*+|\?|\[!?[^\]/]+\]|\\.|[{},]|[.+^$()|[\]\\]/g;
