import * as unbash from "unbash";

/** What aliases stand for, by name. */
export type AliasTable = ReadonlyMap<string, string>;

/** A piece of the text that came from an alias: that alias is not expanded in it again. */
interface Region {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** A word up to where a shell would end it, if nothing in it is quoted. */
const PLAIN_WORD = /[^\s;&|<>()"'\\$`]+(?=[\s;&|<>()]|$)/y;

/** Blanks and lines that go on. */
const BLANKS = /(?:[ \t]|\\\n)*/y;

/**
 * Puts what aliases stand for in their place, as bash does while it reads: where a command's name stands, and behind an
 * alias that ends with a blank. With `first`, only the commands of the first line are looked at, because what that line
 * does may change the aliases of the next. Text inside of substitutions is left to whoever parses it.
 */
export function expandAliases(text: string, aliases: AliasTable, scope: "first" | "all"): string {
  let regions: readonly Region[] = [];
  let result = text;
  let from = 0;
  for (;;) {
    const next = nextCandidate(result, aliases, regions, from, scope);
    if (next === undefined) return result;
    let at = next.pos;
    let name: string | undefined = next.name;
    while (name !== undefined) {
      const value: string = aliases.get(name) ?? "";
      const grown = value.length - name.length;
      const end = at + name.length;
      result = result.slice(0, at) + value + result.slice(end);
      regions = [
        ...regions.map((region) => ({
          ...region,
          start: region.start >= end ? region.start + grown : region.start,
          end: region.end >= end ? region.end + grown : region.end,
        })),
        { name, start: at, end: at + value.length },
      ];
      if (!/[ \t]$/.test(value)) break;
      at += value.length;
      BLANKS.lastIndex = at;
      at += BLANKS.exec(result)?.[0].length ?? 0;
      name = aliasAt(result, at, aliases, regions);
    }
    from = next.pos;
  }
}

/** True if a command of the text, or a word behind one, may be an alias. */
export function usesAliases(text: string, aliases: AliasTable): boolean {
  return nextCandidate(text, aliases, [], 0, "all") !== undefined;
}

function aliasAt(
  text: string,
  pos: number,
  aliases: AliasTable,
  regions: readonly Region[],
): string | undefined {
  PLAIN_WORD.lastIndex = pos;
  const name = PLAIN_WORD.exec(text)?.[0];
  if (name === undefined || !aliases.has(name)) return undefined;
  const isInside = regions.some(
    (region) => region.name === name && region.start <= pos && pos + name.length <= region.end,
  );
  return isInside ? undefined : name;
}

function nextCandidate(
  text: string,
  aliases: AliasTable,
  regions: readonly Region[],
  from: number,
  scope: "first" | "all",
): { readonly pos: number; readonly name: string } | undefined {
  const script = unbash.parse(text);
  const until = scope === "all" ? text.length : endOfFirstLine(text, script);
  let best: { readonly pos: number; readonly name: string } | undefined;
  const visit = (node: unbash.SyntaxNode): void => {
    if (node.pos > until || node.type === "Word") return;
    if (node.type === "Command" && node.name !== undefined) {
      const { pos } = node.name;
      if (pos >= from && pos <= until && (best === undefined || pos < best.pos)) {
        const name = aliasAt(text, pos, aliases, regions);
        if (name !== undefined) best = { pos, name };
      }
    }
    unbash.forEachChild(node, visit);
  };
  for (const statement of script.commands) visit(statement);
  return best;
}

/** Where the last statement ends that begins in the line in which the one before it ended. */
function endOfFirstLine(text: string, script: unbash.ParsedScript): number {
  let end = script.commands[0]?.end ?? text.length;
  for (const statement of script.commands.slice(1)) {
    if (text.slice(end, statement.pos).includes("\n")) break;
    end = statement.end;
  }
  return end;
}
