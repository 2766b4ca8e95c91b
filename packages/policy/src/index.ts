// Decides whether a call may run. Pure: no waiting, no storage, no tool runs
// here. All of it together, for evaluations and types; what runs imports the parts that it needs by their own paths.
export { canonicalJson } from "./canonical-json.ts";
export type { Origin, Origins } from "./origins.ts";
export type { CallCount, Grant, Policy, PolicyDecision, PolicyRequest, PolicyTool } from "./policy.ts";
export { type InputLeaf, inputLeaves } from "./provenance/input-leaves.ts";
export { type OriginRequest, judgeOrigins } from "./provenance/judge-origins.ts";
export type { OriginFinding } from "./provenance/origin-finding.ts";
export type { RowName, RowNames } from "./provenance/kinds/row-names.ts";
export { createOriginIndex, type OriginIndex } from "./provenance/origin-index.ts";
export { createPolicy } from "./rules/create-policy.ts";
export type { CallBudget, PolicyRule, PolicySettings } from "./rules/policy-rule.ts";
export { findShadowedRules, type ShadowedRule } from "./rules/shadowed-rules.ts";
export { addressArguments } from "./inference/address-arguments.ts";
export {
  inferLabels,
  type InferredLabels,
  type ToolHints,
  type UnlabelledTool,
} from "./inference/infer-labels.ts";
