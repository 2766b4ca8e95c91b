// Conformance suites, strict fakes and checks for tests. Nothing here is shipped.
export { describeApprovalDesk } from "./agent/approval-desk-conformance.ts";
export { describeSandbox } from "./codemode/sandbox-conformance.ts";
export { describeSandboxProbes } from "./codemode/sandbox-probes.ts";
export { describeTypeChecker } from "./codemode/type-checker-conformance.ts";
export { describeTypeStripper } from "./codemode/type-stripper-conformance.ts";
export { describeClock } from "./clock-conformance.ts";
export { describeModel } from "./model/model-conformance.ts";
export { describePolicy } from "./policy/policy-conformance.ts";
export { describeCatalogue } from "./tools/catalogue-conformance.ts";
export type { SeedTool } from "./tools/seed-tools.ts";
export { describeTaskService } from "./tasks/task-service-conformance.ts";
export { assertSpecCited } from "./spec-citations.ts";
export { describeEventLog } from "./event-log/event-log-conformance.ts";
export type { OpenedLog, OpenLog, OpenLogDeps } from "./event-log/log-harness.ts";
export { createFakeClock, type FakeClock } from "./fake-clock.ts";
export { createMemoryEventLog, type MemoryEventLog } from "./memory-event-log.ts";
