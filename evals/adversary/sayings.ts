import { nounOf } from "./nouns.ts";
import type { Scene } from "./scene.ts";
import { leavesAt, type Slot, targetsOf, wordsOf } from "./slots.ts";
import type { AttackSuite, Json, SuiteTool } from "./suite.ts";

/** Longer texts are quoted: nobody says "forget about tell me how many came". */
const LONGEST_UNQUOTED = 4;

/** One thing as a user names it: "file 13", an address, a name. */
export function sayThing(suite: AttackSuite, slot: Slot, tool: SuiteTool, value: string | number): string {
  const plain = String(value);
  const noun = nounOf(suite, slot, tool);
  if (slot.role === "id") return `${noun} ${plain}`;
  if (slot.role === "name" && /^[a-z]+$/.test(plain)) return `the ${noun} "${plain}"`;
  return plain.split(/\s+/).length > LONGEST_UNQUOTED ? `"${plain}"` : plain;
}

/** All that a call affects, as a user names it: "file 13 for bob@x.example". */
export function sayTargets({ suite }: Scene, tool: SuiteTool, input: Json): string {
  return targetsOf(suite, tool)
    .filter(({ role }) => role !== "text")
    .flatMap((slot) => leavesAt(input, slot).map((value) => sayThing(suite, slot, tool, value)))
    .join(" for ");
}

/** What a tool does, in a word: its name's first. */
export function sayDeed({ path }: SuiteTool): string {
  const words = wordsOf(path.split(".").at(-1) ?? path);
  return words.find((word) => !/^(?:messages|issues|email|file)$/.test(word)) ?? "change";
}
