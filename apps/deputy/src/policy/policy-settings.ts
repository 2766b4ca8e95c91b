import { findShadowedRules, type PolicySettings } from "@deputy/policy";

/** What to tell the user about rules that never come to decide. */
export function shadowedRuleWarnings(settings: Pick<PolicySettings, "deny" | "rules">): readonly string[] {
  return findShadowedRules(settings).map(
    ({ place, tool, by }) => `${place} (“${tool}”) never decides: ${by.join(" and ")} always comes first`,
  );
}
