import type { Origin, Origins } from "../origins.ts";
import type { PolicyTool } from "../policy.ts";
import { readDeclaredInput } from "./declared-input.ts";
import { describeOrigin, describeUnsaid } from "./describe-origin.ts";
import { findCarriers } from "./find-carriers.ts";
import { type InputLeaf, inputLeaves } from "./input-leaves.ts";
import { wordsOfName } from "./words-of-name.ts";
import type { OriginFinding } from "./origin-finding.ts";

export interface OriginRequest {
  readonly tool: PolicyTool;
  readonly input: unknown;
  readonly origins: Origins;
}

interface TracedLeaf {
  readonly leaf: InputLeaf;
  readonly origin: Origin;
}

/**
 * The values of a call that nothing the user said or trusts explains; empty when there are none, for
 * reads, and before any untrusted text was read. Pure, never throws. What counts as explained:
 * `docs/decisions/0010-provenance.md`.
 */
export function judgeOrigins({ tool, input, origins }: OriginRequest): readonly OriginFinding[] {
  if (tool.effect === "read" || origins.untrusted.length === 0) return [];
  const declared = readDeclaredInput(tool.inputSchema);
  const leaves = inputLeaves(input, declared.isDeclared).filter(
    ({ argument, value }) => !declared.isDefault(argument, value),
  );
  const isCritical = ({ argument }: InputLeaf): boolean =>
    tool.critical === "all" || argument === "" || tool.critical.includes(argument);
  const critical = leaves
    .filter(isCritical)
    .map((leaf): TracedLeaf => ({ leaf, origin: traceLeaf(leaf, origins) }));
  const others = leaves.filter((leaf) => !isCritical(leaf));
  const unexplained = [
    ...critical.filter(({ origin }) => origin.kind === "untrusted" || origin.kind === "invented"),
    ...others.flatMap((leaf) => traceContent(leaf, origins)),
  ];
  if (unexplained.length > 0) return unexplained.map((traced) => findingOf(traced, origins));
  return judgeChoice(tool, critical, others, origins);
}

/**
 * Everything is explained; but a value that only a trusted source knows may have been chosen by someone
 * else. What destroys needs the user to have named each such thing; what reaches outward, to have said
 * something that is in the call.
 */
function judgeChoice(
  tool: PolicyTool,
  critical: readonly TracedLeaf[],
  others: readonly InputLeaf[],
  origins: Origins,
): readonly OriginFinding[] {
  const chosen = critical.filter((traced) => !isPickedOut(traced, tool, origins));
  const findings = chosen.map((traced) => findingOf(traced, origins));
  const isSaid = critical.some(
    (traced) => !chosen.includes(traced) && typeof traced.leaf.value !== "boolean",
  );
  switch (tool.effect) {
    case "read":
      return [];
    case "write":
      return critical.length > 0 || tool.critical !== "all" ? [] : [unsaid(tool, origins)];
    case "egress":
      if (isSaid || others.some(({ value }) => typeof value === "string" && origins.echoes(value))) return [];
      return findings.length > 0 ? findings : [unsaid(tool, origins)];
    default:
      return findings.length > 0 || isSaid ? findings : [unsaid(tool, origins)];
  }
}

function unsaid({ path }: PolicyTool, origins: Origins): OriginFinding {
  const words = describeUnsaid(path, origins.untrusted);
  return { path: "", value: path, origin: { kind: "invented" }, words };
}

/**
 * For a destructive call, the user must have said the value or its whole name. For other calls, a part of the
 * name is enough.
 */
function isPickedOut({ leaf, origin }: TracedLeaf, { effect, path }: PolicyTool, origins: Origins): boolean {
  if (origin.kind !== "trusted" || effect === "read" || effect === "write") return true;
  if (origin.named === "whole" || (origin.named === "part" && effect === "egress")) return true;
  return origins.asksForAll({ effect, toolPath: path, argument: leaf.name });
}

/** Yes and no are in no text: the user speaks of them by the argument's name. */
function traceLeaf({ value, name }: InputLeaf, origins: Origins): Origin {
  if (typeof value !== "boolean") return origins.trace(value, name);
  const traced = wordsOfName(name).map((word) => origins.trace(word));
  return traced.find(({ kind }) => kind === "user") ?? { kind: "invented" };
}

/** What is wrong with a value that is not critical: it leads somewhere, or is a number that untrusted text gave. */
function traceContent(leaf: InputLeaf, origins: Origins): readonly TracedLeaf[] {
  const { value } = leaf;
  if (typeof value === "boolean") return [];
  if (typeof value === "number" || isFigure(value)) {
    const origin = origins.trace(value, leaf.name);
    return origin.kind === "untrusted" ? [{ leaf, origin }] : [];
  }
  const carriers = findCarriers(value)
    .map((carrier) => ({ leaf: { ...leaf, value: carrier }, origin: origins.trace(carrier) }))
    .filter(({ origin }) => !isExplained(origin));
  return carriers.length > 0 && isExplained(origins.trace(value)) ? [] : carriers;
}

function isExplained({ kind }: Origin): boolean {
  return kind !== "untrusted" && kind !== "invented";
}

/** A number, a date or a time, written as text. */
function isFigure(text: string): boolean {
  return /^[\s\d.,:+%$€£¥tz'’/-]+$/i.test(text) && !/\d{8}/.test(text);
}

const LONGEST_VALUE = 200;

function findingOf({ leaf, origin }: TracedLeaf, origins: Origins): OriginFinding {
  const text = String(leaf.value);
  const value = text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}…`;
  const { path } = leaf;
  return { path, value, origin, words: describeOrigin({ path, value, origin }, origins.untrusted) };
}
