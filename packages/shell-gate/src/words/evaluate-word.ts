import type { DoubleQuotedChild, ParameterExpansionPart, ParsedScript, Word, WordPart } from "unbash";
import { type Argument, known } from "./argument.ts";
import { expandBraces } from "./expand-braces.ts";
import { expandGlob, type Piece } from "./expand-glob.ts";
import { findArithmeticEffect } from "../judge-arithmetic.ts";
import type { PathJudge } from "../paths/judge-path.ts";
import type { Judgement } from "../judgement.ts";
import { MAX_FIELDS } from "../limits.ts";
import type { PathFacts } from "../paths/path-facts.ts";
import type { Scope, Value } from "../scope.ts";
import { mayBeShown } from "./variables.ts";

export interface WordEvaluator {
  /** What a word becomes among a command's arguments. What it runs on the way is judged. */
  readonly fields: (word: Word, scope: Scope) => readonly Argument[];
  /** What it becomes where it stays one: assigned, redirected to, compared. No pattern is expanded. */
  readonly single: (word: Word, scope: Scope) => Argument;
  /** Judges what text with expansions in it runs, such as a here-document. */
  readonly parts: (parts: readonly WordPart[], scope: Scope) => void;
}

/** One piece while a word is put together. */
type Part =
  | Piece
  | { readonly role: "choice"; readonly texts: readonly string[] }
  | { readonly role: "pipe" }
  | {
      readonly role: "unknown";
      readonly why: string;
      readonly count: "one" | "many";
      readonly start: "any" | "operand";
    };

/** A value that unquoted stays one word and is no pattern. */
const STAYS_WHOLE = /^[\w@%+=:,./-]+$/;

export function createWordEvaluator(deps: {
  readonly judgement: Judgement;
  readonly facts: PathFacts;
  readonly paths: PathJudge;
  readonly homeDirectory: string | undefined;
  readonly judgeSource: (source: string, scope: Scope) => void;
}): WordEvaluator {
  const { judgement, facts, paths, homeDirectory, judgeSource } = deps;
  const plain = (text: string): Piece => ({ text, role: "plain" });
  const unknown = (why: string, quoted: "quoted" | "bare", start: "any" | "operand" = "any"): Part => ({
    role: "unknown",
    why,
    count: quoted === "quoted" ? "one" : "many",
    start,
  });
  const refuse = (why: string): Part => {
    judgement.ask(why);
    return unknown(why, "bare");
  };

  const valuePart = (
    name: string,
    value: Value | undefined,
    shown: string,
    quoted: "quoted" | "bare",
  ): Part => {
    if (value?.kind === "text" && (quoted === "quoted" || STAYS_WHOLE.test(value.text)))
      return plain(value.text);
    if (value?.kind === "integer") return unknown(shown, "quoted");
    if (value !== undefined || /^[?#$!@*\d]$/.test(name))
      return unknown(
        shown,
        name === "@" || name === "*" ? "bare" : quoted,
        /^[?#$!]$/.test(name) ? "operand" : "any",
      );
    if (mayBeShown(name)) return unknown(shown, quoted);
    return refuse(`\`${shown}\` is not set in this command, and may be a secret of the environment`);
  };

  const parameterPart = (part: ParameterExpansionPart, scope: Scope, quoted: "quoted" | "bare"): Part => {
    const { parameter, prefix, index, operation, text } = part;
    if (prefix === "!" || index !== undefined)
      return refuse(`\`${text}\` is evaluated in ways that are not followed`);
    const value = valuePart(parameter, scope.variables.get(parameter), text, quoted);
    if (prefix === "#") return unknown(text, quoted, "operand");
    if (operation === undefined) return value;
    switch (operation.type) {
      case "Default": {
        if (operation.operator === "=" || operation.operator === ":=")
          return refuse(`\`${text}\` sets a variable`);
        evaluateParts(operation.operand, scope);
        return unknown(text, quoted);
      }
      case "Remove":
        evaluateParts(operation.operand, scope);
        return unknown(text, quoted);
      case "Replace":
        evaluateParts(operation.pattern, scope);
        evaluateParts(operation.replacement, scope);
        return unknown(text, quoted);
      case "CaseModification":
        if (operation.operand !== undefined) evaluateParts(operation.operand, scope);
        return unknown(text, quoted);
      case "Slice": {
        const bounds = [operation.offset, operation.length].filter((bound) => bound !== undefined);
        if (bounds.every(({ text: bound }) => /^\s*-?\d+$/.test(bound))) return unknown(text, quoted);
        return refuse(`\`${text}\` calculates where to cut`);
      }
      default:
        return refuse(`\`${text}\` is evaluated in ways that are not followed`);
    }
  };

  /** Read again by itself, so that nothing in it is passed over. */
  const judgeSubstitution = (text: string, script: ParsedScript | undefined, scope: Scope): void => {
    const source = text.startsWith("`")
      ? (script?.source ?? text.slice(1, -1))
      : /^[$<>]\(([^]*)\)$/.exec(text)?.[1];
    if (source === undefined || script === undefined || (script.errors ?? []).length > 0)
      judgement.ask(`\`${text}\` cannot be read for certain`);
    else judgeSource(source, scope);
  };

  const expansionPart = (part: WordPart, scope: Scope, quoted: "quoted" | "bare"): Part => {
    switch (part.type) {
      case "SimpleExpansion": {
        const name = part.text.slice(1);
        return valuePart(name, scope.variables.get(name), part.text, quoted);
      }
      case "ParameterExpansion":
        return parameterPart(part, scope, quoted);
      case "CommandExpansion":
        judgeSubstitution(part.text, part.script, scope);
        return unknown(`the output of \`${part.text}\``, quoted);
      case "ArithmeticExpansion": {
        const effect = findArithmeticEffect(part.expression, scope);
        return effect === undefined ? unknown(part.text, quoted) : refuse(`\`${part.text}\` is ${effect}`);
      }
      case "ProcessSubstitution":
        judgeSubstitution(part.text, part.script, scope);
        return { role: "pipe" };
      default:
        return refuse(`\`${part.text}\` is not followed`);
    }
  };

  const quotedParts = (children: readonly DoubleQuotedChild[], scope: Scope): readonly Part[] =>
    children.map((child) => {
      if (child.type !== "Literal") return expansionPart(child, scope, "quoted");
      return isLiteral(child.text)
        ? plain(child.value)
        : refuse(`\`${child.text}\` has a sign that is not followed`);
    });

  const toParts = (word: Word, scope: Scope): readonly Part[] => {
    const parts = word.parts ?? [
      { type: "Literal" as const, pos: 0, end: 0, value: word.value, text: word.text },
    ];
    const first = parts[0];
    return parts.flatMap((part): readonly Part[] => {
      switch (part.type) {
        case "Literal":
          return literalParts(part.text, part.value, part === first);
        case "SingleQuoted":
          return [plain(part.value)];
        case "AnsiCQuoted":
          return [
            isPlainAnsi(part.text)
              ? plain(part.value)
              : refuse(`\`${part.text}\` has escapes that are not followed`),
          ];
        case "DoubleQuoted":
          return quotedParts(part.parts, scope);
        case "Glob":
          return [{ text: part.text, role: "pattern" }];
        case "BraceExpansion": {
          const texts = part.parts === undefined ? expandBraces(part.text) : undefined;
          return [
            texts === undefined ? refuse(`\`${part.text}\` is not followed`) : { role: "choice", texts },
          ];
        }
        default:
          return [expansionPart(part, scope, "bare")];
      }
    });
  };

  /** Bare text: a tilde may stand for a directory, and braces that were not expanded are looked at twice. */
  const literalParts = (text: string, value: string, isFirst: boolean): readonly Part[] => {
    if (!isLiteral(text) || (/[{}]/.test(withoutEscapes(text)) && text !== "{}"))
      return [refuse(`\`${text}\` has a sign that is not followed`)];
    if (isFirst && text.startsWith("~")) {
      const own = /^~(?=\/|$)/.test(text) && homeDirectory !== undefined;
      return [
        own ? plain(homeDirectory + value.slice(1)) : unknown(`where \`${text}\` leads`, "quoted", "operand"),
      ];
    }
    if (/[=:]~/.test(text))
      return [
        unknown(`where \`${text}\` leads`, "quoted", isFirst && !text.startsWith("-") ? "operand" : "any"),
      ];
    return [plain(value)];
  };

  const evaluateParts = (word: Word, scope: Scope): void => void toParts(word, scope);

  const join = (parts: readonly Part[]): Argument => {
    const stranger = parts.find((part) => part.role === "unknown");
    if (stranger?.role === "unknown") {
      const lead = parts.find((part) => !("text" in part && part.text === ""));
      const start =
        lead !== undefined && "text" in lead && !lead.text.startsWith("-") ? "operand" : undefined;
      const isMany = parts.some((part) => part.role === "unknown" && part.count === "many");
      const lone = parts.every((part) => part === stranger || ("text" in part && part.text === ""));
      return {
        kind: "unknown",
        why: stranger.why,
        count: isMany ? "many" : "one",
        // It may expand to several words, and only the first begins as it is written.
        start: isMany
          ? lone
            ? stranger.start
            : "any"
          : (start ?? (lead === stranger ? stranger.start : "any")),
      };
    }
    if (parts.some((part) => part.role === "pipe")) {
      if (parts.length === 1) return { kind: "pipe" };
      judgement.ask("a process substitution inside of a word");
      return { kind: "unknown", why: "a process substitution", count: "one", start: "any" };
    }
    return known(parts.map((part) => ("text" in part ? part.text : "")).join(""));
  };

  return {
    parts: (parts, scope) => {
      for (const part of parts) {
        if (part.type === "Literal") continue;
        if (part.type === "DoubleQuoted") quotedParts(part.parts, scope);
        else if (part.type !== "SingleQuoted") expansionPart(part, scope, "quoted");
      }
    },
    single: (word, scope) => {
      const parts = toParts(word, scope);
      const special = parts.find((part) => part.role === "choice");
      if (special === undefined)
        return join(parts.map((part) => (part.role === "pattern" ? plain(part.text) : part)));
      // Not expanded there by bash, but a reader would think so.
      judgement.ask(`\`${word.text}\` has braces where they are not expanded`);
      return { kind: "unknown", why: word.text, count: "one", start: "any" };
    },
    fields: (word, scope) => {
      const parts = toParts(word, scope);
      const words = chooseAll(parts);
      if (words === undefined) {
        judgement.ask(`\`${word.text}\` stands for too many words`);
        return [];
      }
      const isChoice = words.length > 1;
      return words.flatMap((pieces): readonly Argument[] => {
        const hasPattern = pieces.some(({ role }) => role === "pattern");
        const joined = join(pieces.map((piece) => (piece.role === "pattern" ? plain(piece.text) : piece)));
        if (isChoice && joined.kind === "known" && joined.text === "") {
          judgement.ask(`\`${word.text}\` stands for nothing as well`);
          return [];
        }
        if (!hasPattern)
          return [isChoice && joined.kind === "known" ? known(joined.text, "expanded") : joined];
        if (joined.kind !== "known") {
          judgement.ask(`\`${word.text}\` is a pattern with a part that is not known`);
          return [joined];
        }
        judgement.effects.globs += 1;
        return scope.directories.flatMap((directory) => {
          const expanded = expandGlob(pieces as readonly Piece[], directory, facts);
          if (expanded.kind === "unclear") {
            judgement.ask(`\`${word.text}\` is not followed: ${expanded.why}`);
            return [];
          }
          for (const where of new Set(expanded.listed))
            paths.use(word.text, known(where), "read", [directory]);
          return expanded.names.map((name) => known(name, "expanded"));
        });
      });
    },
  };
}

/** True if text that the parser took literally could have a special meaning for bash. */
function isLiteral(text: string): boolean {
  return !/\$[^\s.,:;%/=+)\]}|\\^~]|`/.test(withoutEscapes(text));
}

/** `$'…'` with nothing but escapes that stand for one visible ASCII character, a tab or a new line. */
function isPlainAnsi(text: string): boolean {
  return !text
    .replaceAll(/\\(?:[\\'"nt]|x(?:[2-6][\da-fA-F]|7[\da-eA-E])|(?:0[4-7]|1[0-6])[0-7]|17[0-6])/g, "")
    .includes("\\");
}

function withoutEscapes(text: string): string {
  return text.replaceAll(/\\[^]/g, "");
}

type Chosen = Exclude<Part, { readonly role: "choice" }>;

function chooseAll(parts: readonly Part[]): readonly (readonly Chosen[])[] | undefined {
  let words: Chosen[][] = [[]];
  for (const part of parts) {
    if (part.role !== "choice") {
      for (const word of words) word.push(part);
      continue;
    }
    words = words.flatMap((word) => part.texts.map((text) => word.concat({ text, role: "plain" })));
    if (words.length > MAX_FIELDS) return undefined;
  }
  return words;
}
