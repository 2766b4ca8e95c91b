// The turn, the gate and the approvals. Stores, engines and models are met through ports.
export type { ApprovalDesk, ResolveOutcome } from "./approval-desk.ts";
