import type { CallId } from "@deputy/kit";
import type { CatalogueTool } from "@deputy/tools";
import type { CallToAsk } from "../approvals/approval-question.ts";
import type { PlaceCounts } from "../budget/call-counter.ts";
import type { StreamId } from "@deputy/protocol";
import type { CallRequest } from "./call-request.ts";
import type { ForeseenCall } from "../plan/cell-plans.ts";
import type { CallInput } from "./read-input.ts";

/** A call on its way through the gate. */
export interface GatedCall {
  readonly callId: CallId;
  readonly request: CallRequest;
  readonly session: StreamId;
  readonly tool: CatalogueTool;
  readonly input: CallInput & { readonly kind: "ok" };
  readonly inputHash: string;
  /** A plan has listed it. */
  readonly foreseen: ForeseenCall | undefined;
  readonly durability: "relaxed" | "full";
  /** Absent where there is no budget to keep to. */
  readonly counts: PlaceCounts | undefined;
}

export const STOPPED = "Stopped before it ran.";

export function toAsk({ callId, request, session, tool, input, inputHash }: GatedCall): CallToAsk {
  const { toolPath, programHash } = request;
  return { callId, programHash, toolPath, session, tool, input, inputHash, origins: request.origins };
}
