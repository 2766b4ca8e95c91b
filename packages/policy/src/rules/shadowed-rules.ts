import type { PolicyTool } from "../policy.ts";
import { isCovered } from "./pattern-cover.ts";
import type { PolicySettings } from "./policy-rule.ts";

/** A rule that can never decide, because others always come first. */
export interface ShadowedRule {
  readonly place: string;
  readonly tool: string;
  /** The places of what comes first: one where one is enough, else all it takes together. */
  readonly by: readonly string[];
}

const EFFECTS: readonly PolicyTool["effect"][] = ["read", "write", "egress", "destructive"];

/** Rules that no call can reach, whatever tools there are. Never throws; misses some of absurd patterns. */
export function findShadowedRules({
  deny,
  rules,
}: Pick<PolicySettings, "deny" | "rules">): readonly ShadowedRule[] {
  const entries = [
    ...deny.map((tool, at) => ({ tool, effects: EFFECTS, place: `policy.deny[${at}]` })),
    ...rules.map(({ tool, effect }, at) => ({
      tool,
      effects: effect === undefined ? EFFECTS : [effect],
      place: `policy.rules[${at}]`,
    })),
  ];
  return entries.flatMap(({ tool, effects, place }, at) => {
    const shadows = (before: typeof entries): boolean =>
      effects.every((effect) =>
        isCovered(
          tool,
          before.filter((one) => one.effects.includes(effect)).map((one) => one.tool),
        ),
      );
    const before = entries.slice(0, at);
    const alone = before.find((one) => shadows([one]));
    if (alone !== undefined) return [{ place, tool, by: [alone.place] }];
    if (!shadows(before)) return [];
    // Leaves out rules that do not contribute, so that the user sees only the relevant ones.
    const needed = before.reduce((kept, one) => {
      const without = kept.filter((other) => other !== one);
      return shadows(without) ? without : kept;
    }, before);
    return [{ place, tool, by: needed.map((one) => one.place) }];
  });
}
