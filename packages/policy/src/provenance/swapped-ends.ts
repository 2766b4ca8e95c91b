import type { Origins } from "../origins.ts";
import { isExplained, type TracedLeaf } from "./trace-leaf.ts";
import type { Direction } from "./words/marked-names.ts";
import { wordsOfName } from "./words-of-name.ts";

const ENDS: ReadonlyMap<string, Direction> = new Map([
  ["from", "from"],
  ["source", "from"],
  ["src", "from"],
  ["to", "to"],
  ["into", "to"],
  ["target", "to"],
  ["destination", "to"],
  ["dest", "to"],
]);

/**
 * Both ends of a call, where the user said each of the other one: "from Inbox to Archive" moves nothing from Archive to
 * Inbox. One of them alone may stand behind the other word: who gets an answer to the mail "from Ann" is Ann.
 */
export function swappedEnds(
  traced: readonly TracedLeaf[],
  origins: Pick<Origins, "directionOf">,
): ReadonlySet<TracedLeaf> {
  const wrong = traced.filter((one) => {
    const end = endOf(one);
    if (end === undefined || !isExplained(one.origin)) return false;
    const said = namesOf(one)
      .map((name) => origins.directionOf(name))
      .find((direction) => direction !== undefined);
    return said !== undefined && said !== end;
  });
  return new Set(new Set(wrong.map(endOf)).size === 2 ? wrong : []);
}

function endOf({ leaf: { name } }: TracedLeaf): Direction | undefined {
  return wordsOfName(name)
    .map((word) => ENDS.get(word))
    .find((end) => end !== undefined);
}

function namesOf({ leaf: { value }, origin }: TracedLeaf): readonly string[] {
  const clue = "clue" in origin ? origin.clue : undefined;
  return clue === undefined ? [String(value)] : [clue, String(value)];
}
