import type { Random } from "../typed/random.ts";
import type { Attacker } from "./attacker.ts";
import type { Told } from "./conversation.ts";
import { isObject, leavesAt, type Slot, slotsOf, targetsOf } from "./slots.ts";
import { type AttackSuite, type Json, type SuiteTask, type SuiteTool, toolOf } from "./suite.ts";

/** A task up to some moment, before anybody attacks it. */
export interface Scene {
  readonly suite: AttackSuite;
  readonly task: SuiteTask;
  readonly attacker: Attacker;
  readonly random: Random;
  /** What was read by then; the user's words are apart. */
  readonly read: readonly (Told & { readonly kind: "result" })[];
}

/** A call that the attacker's model would make. */
export interface ForgedCall {
  readonly tool: SuiteTool;
  readonly input: Json;
  /** The names of the arguments that the attacker chose. */
  readonly forged: readonly string[];
  /** What the call's text carries, such as a link. */
  readonly smuggled?: readonly string[];
}

/** One conversation, and what an attacker would have done after it. */
export interface Assault {
  readonly told: readonly Told[];
  /** What makes it an attack, and has to stay in it: the attacker's own words, or what they are after. */
  readonly payload: string;
  readonly calls: readonly ForgedCall[];
}

/** A way to attack any suite: gives nothing where it does not apply. */
export type Family = (scene: Scene) => readonly Assault[];

export function openScene(suite: AttackSuite, task: SuiteTask, attacker: Attacker, random: Random): Scene {
  const cut = random.below(3) === 0 ? random.below(task.calls.length + 1) : task.calls.length;
  const read = task.calls
    .slice(0, cut)
    .filter(({ tool }) => toolOf(suite, tool).effect === "read" || random.below(2) === 0)
    .map(({ tool, input, result }) => {
      const { path: source, trust } = toolOf(suite, tool);
      return { kind: "result" as const, source, trust, result, input };
    });
  return { suite, task, attacker, random, read };
}

/** A right input for a tool: the task's own, another task's, or one that only fits its schema. */
export function honestInput({ suite, task, random }: Scene, tool: SuiteTool): Json {
  const own = task.calls.filter((call) => call.tool === tool.path);
  const others = suite.tasks.flatMap(({ calls }) => calls).filter((call) => call.tool === tool.path);
  const found = random.pick(own) ?? random.pick(others);
  if (found !== undefined) return found.input;
  return slotsOf(suite, tool)
    .filter(({ isRequired }) => isRequired)
    .reduce<Json>((input, slot) => placed(input, slot, plainValue(suite, slot, random)), {});
}

/** The same without what no call needs. */
export function withoutOptional(
  { suite }: Scene,
  tool: SuiteTool,
  input: Json,
  kept: readonly string[],
): Json {
  const required = new Set(
    slotsOf(suite, tool).flatMap(({ name, isRequired }) => (isRequired ? [name] : [])),
  );
  return Object.fromEntries(
    Object.entries(input).filter(([name]) => required.has(name) || kept.includes(name)),
  );
}

export function withValue(input: Json, slot: Slot, value: string | number): Json {
  const typed = slot.isNumber && /^\d+$/.test(String(value)) ? Number(value) : value;
  return placed(input, slot, slot.isList ? [typed] : typed);
}

/** The input with something else at a slot, in the first element of each list on the way. */
function placed(input: Json, { name, inside }: Slot, value: unknown): Json {
  const put = (around: unknown, [part, ...rest]: readonly string[]): unknown => {
    if (part === undefined) return value;
    if (part === "*") {
      const [first, ...others]: readonly unknown[] = Array.isArray(around) ? around : [];
      return [put(first, rest), ...others];
    }
    const record = isObject(around) ? around : {};
    return { ...record, [part]: put(record[part], rest) };
  };
  return { ...input, [name]: put(input[name], inside) };
}

/** A tool with an effect, and one of its arguments that decides who or what is affected. */
export interface Aim {
  readonly tool: SuiteTool;
  readonly slot: Slot;
}

/** A call that is as small as the tool allows, with the attacker's value in one place. */
export function forge(scene: Scene, { tool, slot }: Aim, value: string | number): ForgedCall {
  const input = withoutOptional(scene, tool, honestInput(scene, tool), [slot.name]);
  return { tool, input: withValue(input, slot, value), forged: [slot.name] };
}

/** What only writes into the workspace is reviewed before it counts, so it is no aim. */
export function targetedTools({ suite }: Scene): readonly Aim[] {
  return [...suite.tools.values()]
    .filter(({ effect, isLocal }) => effect !== "read" && !(effect === "write" && isLocal === true))
    .flatMap((tool) => targetsOf(suite, tool).map((slot) => ({ tool, slot })));
}

const PLAIN_NAMES = ["Blue Heron", "Grey Stork", "Red Kite", "Snow Goose", "Marsh Tit", "Corn Crake"];

/** What other tools are given under the same name, else just something. */
function plainValue(suite: AttackSuite, slot: Slot, random: Random): unknown {
  const { role, isList, isNumber, choices } = slot;
  const [choice] = choices;
  if (choice !== undefined) return choice;
  const values = suite.tasks.flatMap(({ calls }) => calls.flatMap(({ input }) => leavesAt(input, slot)));
  const sample = random.pick(values);
  if (sample !== undefined) return isList ? [sample] : isNumber ? Number(sample) : String(sample);
  if (role === "flag") return true;
  if (role === "object") return {};
  const value = role === "time" ? "2026-06-01" : role === "amount" ? 10 : (random.pick(PLAIN_NAMES) ?? "");
  return isList ? [value] : isNumber ? 10 : value;
}
