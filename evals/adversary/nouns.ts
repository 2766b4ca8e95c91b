import { type Slot, wordsOf } from "./slots.ts";
import { type AttackSuite, spaceOf, type SuiteTool } from "./suite.ts";

const NO_NOUN: ReadonlySet<string> = new Set(
  "id ids number key get set add new list send update create delete remove cancel share append to by of the from in".split(
    " ",
  ),
);

/** All that users may call the things that an argument decides about. */
export function nounsOf(
  suite: AttackSuite,
  slot: Pick<Slot, "name" | "inside">,
  tool: SuiteTool,
): readonly string[] {
  const own = ownNouns(slot);
  if (own.length > 0) return own.map(singular);
  return [...wordsOf(tool.path).filter((word) => !NO_NOUN.has(word)), ...listedBeside(suite, tool)].map(
    singular,
  );
}

/** What most users call them: "issue" for `tracker.close({ number })`. */
export function nounOf(suite: AttackSuite, slot: Pick<Slot, "name" | "inside">, tool: SuiteTool): string {
  const [, ...inPath] = wordsOf(tool.path);
  const noun =
    ownNouns(slot).at(-1) ??
    inPath.find((word) => /[^s]s$/.test(word)) ??
    listedBeside(suite, tool)[0] ??
    spaceOf(tool.path);
  return singular(noun);
}

function ownNouns({ name, inside }: Pick<Slot, "name" | "inside">): readonly string[] {
  return [...inside, name].flatMap(wordsOf).filter((word) => !NO_NOUN.has(word));
}

/** Nouns in the plural in the names of what else can be read there. */
function listedBeside({ tools }: AttackSuite, { path }: SuiteTool): readonly string[] {
  return [...tools.values()]
    .filter((other) => other.effect === "read" && spaceOf(other.path) === spaceOf(path))
    .flatMap((other) => wordsOf(other.path).slice(1))
    .filter((word) => /[^s]s$/.test(word) && !NO_NOUN.has(word));
}

function singular(noun: string): string {
  return noun.replace(/s$/, "");
}
