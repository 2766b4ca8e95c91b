import type { PolicySettings } from "@deputy/policy";
import { findShadowedRules } from "@deputy/policy/shadowed-rules";

/** Warnings about rules that never decide, because earlier rules do. */
export function shadowedRuleWarnings(settings: Pick<PolicySettings, "deny" | "rules">): readonly string[] {
  return findShadowedRules(settings).map(
    ({ place, tool, by }) => `${place} (“${tool}”) never decides: ${by.join(" and ")} always comes first`,
  );
}
