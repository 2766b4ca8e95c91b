import { withRead } from "@deputy/protocol";
import { bindingsInForce } from "./considered-call.ts";
import type { Origins } from "../origins.ts";
import type { GrantBinding, PolicyRequest, PolicyTool } from "../policy.ts";
import { type InputLeaf, inputLeaves } from "../provenance/input-leaves.ts";

/** What the origins of a call's values give reason to ask about. */
export interface OriginConcern {
  /** The sources of untrusted text; empty if none was read. */
  readonly sources: readonly string[];
  /** One sentence for each critical value that nothing explains; empty when there is none. */
  readonly words: readonly string[];
  /** True if a grant of the tool covers the call: each critical value is explained, or all others are on one card. */
  readonly isGranted: boolean;
}

/** Values are looked at as after reading this, where a grant says which values it covers. */
const ANYTHING = ["somebody else"];

/**
 * Reads are a concern only where they would send on what others wrote. Without origins, every critical value of
 * other calls is suspect. What is not explained may be on the card of a grant, but all of it on one: values of several
 * cards, put together, are a call that nobody has seen.
 */
export function judgeRequest(request: PolicyRequest): OriginConcern {
  const { tool, input, origins, labels } = request;
  const labelled = labels.filter((label) => label.trust === "untrusted").map((label) => label.source);
  const sources = [...new Set([...(origins?.untrusted ?? []), ...labelled])].sort();
  const cards = bindingsInForce(request).filter(({ inputHash }) => inputHash === undefined);
  if (sources.length === 0 && cards.length === 0) return { sources, words: [], isGranted: false };
  if (origins?.judge === undefined) {
    const isGranted = cards.some((card) => criticalLeaves(tool, input).every((leaf) => isOn(card, leaf)));
    const unknown = origins === undefined ? criticalNames(tool, input) : unjudgedNames(tool, input);
    const words = sources.length === 0 || unknown.length === 0 ? [] : [unknownOrigins(unknown, sources)];
    return { sources, words, isGranted };
  }
  const { judge } = origins;
  const told: Origins = { ...origins, untrusted: sources.length === 0 ? ANYTHING : sources };
  const found = judge({ tool, input, origins: told });
  const isCovered =
    found.length === 0 ||
    cards.some(
      (card) => judge({ tool, input, origins: told, isApproved: (leaf) => isOn(card, leaf) }).length === 0,
    );
  const words = isCovered || sources.length === 0 ? [] : found.map((finding) => finding.words);
  return { sources, words, isGranted: isCovered && cards.length > 0 };
}

/** True of a value that the user saw in this place on the card of a grant. */
function isOn({ values = {} }: GrantBinding, { path, value }: InputLeaf): boolean {
  return Object.hasOwn(values, path) && values[path]?.includes(value) === true;
}

function unknownOrigins(names: readonly string[], sources: readonly string[]): string {
  return withRead(`It is not known where ${names.join(", ")} came from`, sources);
}

/** The critical arguments of a call that is no read; the whole input if it is not an object. */
function criticalNames({ effect, critical }: PolicyTool, input: unknown): readonly string[] {
  if (effect === "read") return [];
  const given = argumentNames(input);
  return critical === "all" || given === undefined
    ? (given ?? ["the input"])
    : given.filter((name) => critical.includes(name));
}

/** The shortest JSON of a read's input that carries a code of six digits. */
const SHORTEST_SENT = 12;

/**
 * True of a call that has to be judged by where its values come from, once untrusted text was read. Others need no
 * index of what was said: reads that send nothing, or nothing that could tell anybody anything.
 */
export function asksForOrigins(
  { effect, isLocal }: Pick<PolicyTool, "effect" | "isLocal">,
  inputJson: string,
): boolean {
  return effect !== "read" || (isLocal !== true && inputJson.length >= SHORTEST_SENT);
}

/** All of a call that had to be judged while there was nothing to judge it with; it never just passes. */
function unjudgedNames(tool: PolicyTool, input: unknown): readonly string[] {
  if (!asksForOrigins(tool, JSON.stringify(input ?? null))) return [];
  const given = argumentNames(input) ?? [];
  return given.length === 0 ? ["the call"] : given;
}

/** Undefined of what is not an object. */
function argumentNames(input: unknown): readonly string[] | undefined {
  return typeof input === "object" && input !== null && !Array.isArray(input)
    ? Object.keys(input)
    : undefined;
}

/** What a read is given decides about nothing. */
function criticalLeaves({ effect, critical }: PolicyTool, input: unknown): readonly InputLeaf[] {
  if (effect === "read") return [];
  const isCritical = ({ argument }: InputLeaf): boolean =>
    critical === "all" || argument === "" || critical.includes(argument);
  return inputLeaves(input, () => true).filter(isCritical);
}
