import { actionWords } from "../inference/name-effect.ts";
import { verbOf as knownVerb } from "../inference/verbs.ts";
import { remembered } from "../remembered.ts";
import type { InputLeaf } from "./input-leaves.ts";
import reachWords from "./reach-words.json" with { type: "json" };
import { wordsOfName } from "./words-of-name.ts";
import deedWords from "./words/deed-words.json" with { type: "json" };

const CHOOSING: ReadonlySet<string> = new Set(reachWords.choosing);
/** Arguments that name a deed, and nothing else. */
const DOING: ReadonlySet<string> = new Set(reachWords.doing);
const SORTING: ReadonlySet<string> = new Set(reachWords.sorting);
const ACTING: readonly string[] = [...deedWords.destroying, ...reachWords.acting];
const DESTROYING: ReadonlySet<string> = new Set(deedWords.destroying);
const SWITCHES: ReadonlySet<string> = new Set(reachWords.switches);
const MAKING: ReadonlySet<string> = new Set(reachWords.making);
const IRREGULAR: Readonly<Record<string, string>> = { sent: "send", paid: "pay" };
const MOST_WORDS = 3;

/**
 * The deeds that a value chooses, in the words with which the user would ask for one: `action: "delete"`,
 * `status: "cancelled"`, `method: "DELETE"`, `deleted: true`, `delete_after_days: 1`, `enabled: false`; where an argument
 * names nothing but a deed, whatever it is (`action: "unlock"`). Empty of other values: `status: "open"`.
 */
export function chosenDeeds(leaf: InputLeaf, toolPath: string): readonly (readonly string[])[] {
  const { name, names, value } = leaf;
  const words = wordsOfName(name);
  const switched = switchedBy(leaf, words, toolPath);
  if (switched !== undefined) return reachWords.switching[switched].map((said) => said.split(" "));
  if (typeof value === "boolean") return value ? alone(flagged(words)) : [];
  const when = words.flatMap(verbOf).filter((verb) => DESTROYING.has(verb) && words.length > 1);
  if (typeof value === "number") return value === 0 ? [] : alone(when.filter(() => isDelay(words)));
  const all = names.flatMap(wordsOfName);
  const isChoosing = all.some((word) => CHOOSING.has(word)) || words[0] === "on";
  if (!isChoosing && !words.some((word) => SORTING.has(word)))
    return alone(when.filter(() => isDelay(words)));
  const chosen = value
    .trim()
    .toLowerCase()
    .split(/[^\p{L}]+/u);
  if (chosen.length > MOST_WORDS) return [];
  const deeds = chosen.flatMap(verbOf).filter((verb) => isChoosing || DESTROYING.has(verb));
  if (deeds.length > 0 || !words.some((word) => DOING.has(word))) return alone(deeds);
  return alone(chosen.filter(isDeed));
}

/** A verb that does more than look: `action: "unlock"`. */
function isDeed(word: string): boolean {
  const kind = knownVerb(word)?.kind;
  return kind === "write" || kind === "egress" || kind === "destructive";
}

function alone(verbs: readonly string[]): readonly (readonly string[])[] {
  return verbs.map((verb) => [verb]);
}

/** `deleted`, `is_archived` and `cancel` do it; `sign` and `send_updates` only say how. */
function flagged(words: readonly string[]): readonly string[] {
  const isAlone = words.length === 1;
  return words.flatMap((word) =>
    verbOf(word).filter(
      (verb) => (isAlone && DESTROYING.has(verb)) || (word !== verb && !/(?:ing|s)$/.test(word)),
    ),
  );
}

/** True of a value that says when a deed of its name is to happen: `delete_after_days: 1`. */
export function isDelayed({ name, value }: InputLeaf): boolean {
  return (
    typeof value !== "boolean" &&
    isDelay(wordsOfName(name)) &&
    wordsOfName(name).some((word) => verbOf(word).length > 0)
  );
}

/** `delete_after`, `cancel_at`. */
function isDelay(words: readonly string[]): boolean {
  return words.some((word) => word === "after" || word === "at" || word === "in" || word === "on");
}

/** Whether a value switches something on or off. What is made is made switched on. */
function switchedBy(
  { value }: InputLeaf,
  words: readonly string[],
  toolPath: string,
): "on" | "off" | undefined {
  const own = words.filter((word) => word !== "is");
  if (own.length !== 1) return undefined;
  const [name = ""] = own;
  const isUp = typeof value === "boolean" ? value : UP.has(String(value).toLowerCase());
  const isDown = typeof value === "boolean" ? !value : DOWN.has(String(value).toLowerCase());
  const isSwitch = SWITCHES.has(name) || (typeof value === "string" && CHOOSING.has(name));
  if (!isSwitch || isUp === isDown) return undefined;
  const isOn = name === "off" || name === "disabled" ? isDown : isUp;
  if (isOn && STATES.has(name) && MAKING.has(actionWords(toolPath)[0] ?? "")) return undefined;
  return isOn ? "on" : "off";
}

/** What a new thing is, rather than what is done to a thing. */
const STATES: ReadonlySet<string> = new Set(["enable", "enabled", "active", "activated"]);
const UP: ReadonlySet<string> = new Set(["on", "enabled"]);
const DOWN: ReadonlySet<string> = new Set(["off", "disabled", "inactive"]);

/** "cancelled" is of "cancel". */
const verbOf = remembered((word: string): readonly string[] => {
  const verb = IRREGULAR[word] ?? ACTING.find((acting) => word === acting || formsOf(acting).includes(word));
  return verb === undefined ? [] : [verb];
});

function formsOf(verb: string): readonly string[] {
  return [
    `${verb}d`,
    `${verb}ed`,
    `${verb}${verb.at(-1) ?? ""}ed`,
    verb.replace(/y$/, "ied"),
    `${verb}ing`,
    `${verb.replace(/e$/, "")}ing`,
    `${verb}s`,
  ];
}
