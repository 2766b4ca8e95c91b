import { forEachChild, parse, type Command, type SyntaxNode, type Word, type WordPart } from "unbash";
import type { CommandTable } from "./command-spec.ts";
import { fileCommands } from "./commands/file-commands.ts";
import { filterCommands } from "./commands/filter-commands.ts";
import { plainCommands } from "./commands/plain-commands.ts";
import { shellBuiltins } from "./commands/shell-builtins.ts";
import { textCommands } from "./commands/text-commands.ts";
import { expandBraces } from "./words/expand-braces.ts";
import { expandGlob, type Piece } from "./words/expand-glob.ts";
import type { PathFacts } from "./paths/path-facts.ts";
import { joinPath } from "./paths/resolve-path.ts";

/** A command of a line, as it may be when it runs. */
export interface ListedCommand {
  /** Its words, the name first. */
  readonly words: readonly ListedWord[];
  /** What it reads from files, and values of variables that it is given. */
  readonly given: readonly ListedWord[];
  /** Where it may be. */
  readonly directories: readonly string[];
  /** True of one that is known to take files as data, so that they are not run by it. */
  readonly takesData: boolean;
  /** Commands of one pipeline have the same number. */
  readonly pipeline: number;
}

export interface ListedWord {
  /** As it is written. */
  readonly written: string;
  /** All that it may stand for; undefined where it is put together as the line runs. */
  readonly texts: readonly string[] | undefined;
}

export interface CommandListing {
  readonly commands: readonly ListedCommand[];
  /** What of the line could not be read, as it is written. */
  readonly unread: readonly string[];
}

const MOST_TEXTS = 64;
const MOST_DIRECTORIES = 16;
const MOST_COMMANDS = 1_000;
const DEEPEST = 3;
const LONGEST_SOURCE = 100_000;

const DATA: CommandTable = { ...textCommands, ...plainCommands, ...fileCommands, ...shellBuiltins };

/** True of a command whose operands are data; one that takes none here (`node`, `make`) is only known without them. */
function isForData(name: string, words: readonly ListedWord[]): boolean {
  if (/^(?:cd|pushd)$/.test(name)) return true;
  // `awk -f`, `sed --file`: the next word is a program.
  if (Object.hasOwn(filterCommands, name))
    return !words.some(({ texts = [] }) => texts.some((text) => /^--?f/.test(text)));
  const rule = Object.hasOwn(DATA, name) ? DATA[name] : undefined;
  return typeof rule === "function" || (rule !== undefined && rule.operands !== "none");
}

/**
 * Every command that a line may run, wherever in it, those in words of other commands included (`sh -c '…'`). Unlike
 * the gate it judges nothing and leaves nothing out that it can read: it is for showing people what a line runs.
 * Never throws and never runs anything.
 */
export function listCommands(
  source: string,
  { facts, start }: { readonly facts: PathFacts; readonly start: string },
): CommandListing {
  const commands: ListedCommand[] = [];
  const unread: string[] = [];
  const variables = new Map<string, readonly string[] | undefined>();
  let directories: readonly string[] = [start];
  let pipeline = 0;
  let pipelines = 0;

  const textsOf = (word: Word): readonly string[] | undefined => {
    const parts = word.parts ?? [
      { type: "Literal" as const, pos: 0, end: 0, value: word.value, text: word.text },
    ];
    let found: readonly (readonly Piece[])[] = [[]];
    for (const part of parts) {
      const choices = choicesOf(part);
      if (choices === undefined || found.length * choices.length > MOST_TEXTS) return undefined;
      found = found.flatMap((pieces) => choices.map((choice) => pieces.concat(choice)));
    }
    const texts = found.flatMap(expand);
    return texts.length > MOST_TEXTS ? undefined : texts;
  };

  const expand = (pieces: readonly Piece[]): readonly string[] => {
    const text = pieces.map((piece) => piece.text).join("");
    if (pieces.every(({ role }) => role === "plain")) return [text];
    return directories.flatMap((directory) => {
      const expanded = expandGlob(pieces, directory, facts);
      return expanded.kind === "names" ? expanded.names : [text];
    });
  };

  /** What one part of a word may be; undefined where only running it tells. */
  const choicesOf = (part: WordPart): readonly (readonly Piece[])[] | undefined => {
    switch (part.type) {
      case "Literal":
      case "SingleQuoted":
      case "AnsiCQuoted":
        return [[{ text: part.value, role: "plain" }]];
      case "Glob":
        return [[{ text: part.text, role: "pattern" }]];
      case "BraceExpansion":
        return expandBraces(part.text)?.map((text) => [{ text, role: "plain" }]);
      case "DoubleQuoted":
      case "LocaleString":
        return part.parts.reduce<readonly (readonly Piece[])[] | undefined>(
          (found, inner) => {
            const choices = choicesOf(inner);
            return choices && found?.flatMap((pieces) => choices.map((choice) => pieces.concat(choice)));
          },
          [[]],
        );
      case "SimpleExpansion":
      case "ParameterExpansion": {
        const name = part.type === "SimpleExpansion" ? part.text.slice(1) : part.parameter;
        if (part.type === "ParameterExpansion" && (part.operation ?? part.prefix ?? part.index) !== undefined)
          return undefined;
        if (name === "PWD") return directories.map((text) => [{ text, role: "plain" }]);
        return variables.get(name)?.map((text) => [{ text, role: "plain" }]);
      }
      default:
        return undefined;
    }
  };

  const listed = (word: Word): ListedWord => ({ written: word.text, texts: textsOf(word) });

  const assign = (name: string, texts: readonly string[] | undefined): void => {
    const before = variables.has(name) ? variables.get(name) : [];
    const all = before && texts && [...new Set([...before, ...texts])];
    variables.set(name, all !== undefined && all.length <= MOST_TEXTS ? all : undefined);
  };

  const noteCommand = (node: Command, depth: number): void => {
    const given: ListedWord[] = [];
    for (const part of [...node.prefix, ...node.suffix]) {
      if (part.type === "Redirect" && part.operator.startsWith("<") && part.target !== undefined)
        given.push(listed(part.target));
      if (part.type !== "Assignment" || part.value.type === "ArrayValue") continue;
      const value = listed(part.value);
      if (node.name === undefined) assign(part.name, value.texts);
      else given.push(value);
    }
    if (node.name === undefined) return;
    const words = [node.name, ...node.suffix.filter((part) => part.type === "Word")].map(listed);
    const name = words[0]?.texts?.[0] ?? "";
    const takesData = words[0]?.texts?.length === 1 && isForData(name, words);
    commands.push({ words, given, directories: [...directories, ...entered(words)], takesData, pipeline });
    if (/^(?:cd|pushd)$/.test(name)) go(words.slice(1));
    if (takesData || depth >= DEEPEST) return;
    for (const { texts = [] } of words.slice(1))
      for (const text of texts) if (/[\s;|&]/.test(text)) read(text, depth + 1);
  };

  const go = (words: readonly ListedWord[]): void => {
    const target = words.find(({ texts }) => texts?.some((text) => !text.startsWith("-")) === true);
    const next = directories.flatMap((from) => target?.texts?.map((to) => joinPath(from, to)) ?? []);
    directories = [...new Set([...directories, ...next])].slice(-MOST_DIRECTORIES);
  };

  /** `make -C sub`: for this command only. */
  const entered = (words: readonly ListedWord[]): readonly string[] =>
    words.flatMap((word, at) => {
      const isOption = word.texts?.includes("-C") === true;
      const targets = isOption ? (words[at + 1]?.texts ?? []) : [];
      return directories.flatMap((from) => targets.map((to) => joinPath(from, to)));
    });

  const visit = (node: SyntaxNode, depth: number): void => {
    if (commands.length >= MOST_COMMANDS) return;
    const outer = pipeline;
    if (node.type === "Statement" || node.type === "Script") pipeline = pipelines += 1;
    if (node.type === "For")
      assign(
        node.name.value,
        node.wordlist?.reduce<readonly string[] | undefined>((all, word) => {
          const texts = textsOf(word);
          return texts && all?.concat(texts);
        }, []),
      );
    if (node.type === "Command") noteCommand(node, depth);
    forEachChild(node, (child) => visit(child, depth));
    pipeline = outer;
  };

  const read = (text: string, depth: number): void => {
    const script = parse(text);
    const isBroken = text.length > LONGEST_SOURCE || (script.errors?.length ?? 0) > 0;
    // A word of a command may be no script at all.
    if (isBroken && depth === 0) unread.push(text);
    if (text.length <= LONGEST_SOURCE) visit(script, depth);
  };

  read(source, 0);
  if (commands.length >= MOST_COMMANDS) unread.push(source);
  return { commands, unread };
}
