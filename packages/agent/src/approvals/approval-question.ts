import type { Clock } from "@deputy/kit";
import type { PolicyDecision } from "@deputy/policy";
import type { Redactor } from "@deputy/policy/secrets";
import type { EventData, Sha256 } from "@deputy/protocol";
import type { CatalogueTool } from "@deputy/tools";
import { type BoundCall, callBinding, circumstancesOf } from "./approval-binding.ts";
import { finishPreview, previewOf } from "./approval-preview.ts";
import type { CallInput } from "../gate/read-input.ts";

/** A call that may only run when the user says so. */
export interface CallToAsk extends BoundCall {
  readonly tool: CatalogueTool;
  readonly input: CallInput & { readonly kind: "ok" };
}

export type Question = EventData<"approval.requested">;

/** Describes a call for the user: its whole input, redacted, and what an approval is bound to. Never rejects. */
export type PutQuestion = (
  call: CallToAsk,
  decision: Omit<PolicyDecision, "decision" | "rule">,
) => Promise<Question>;

export function createPutQuestion(deps: {
  readonly redactor: Redactor;
  readonly sha256: Sha256;
  readonly clock: Clock;
  /** After so long a question is no longer open; absent: it never ends. */
  readonly approvalTtlMs?: number | undefined;
}): PutQuestion {
  const { redactor, sha256, clock, approvalTtlMs } = deps;
  return async (call, { reasons, grantable, askOnce }) => {
    const input = redactor.json(call.input.json);
    const circumstances = await circumstancesOf(sha256, call);
    const preview = redactor.json(await previewOf(call.tool, call.input.value));
    return {
      approvalId: call.callId,
      toolPath: call.toolPath,
      input,
      preview: finishPreview(preview, input, redactor.json([...reasons])),
      bindingHash: callBinding(sha256, { ...call, circumstances }),
      inputHash: call.inputHash,
      ...(circumstances === undefined ? {} : { circumstances }),
      ...(grantable === undefined ? {} : { grantable }),
      ...(askOnce === true ? { scope: "session" as const } : {}),
      ...(approvalTtlMs === undefined
        ? {}
        : { expiresAt: new Date(clock.now() + approvalTtlMs).toISOString() }),
    };
  };
}
