import type { CallId } from "@deputy/kit";
import type { ApprovalId, CanonicalEvent, PlannedCall } from "@deputy/protocol";
import type { Asked } from "../approvals/approval-binding.ts";

/** How far a call had come when the process that made it ended. */
export interface PriorCall {
  readonly callId: CallId;
  readonly toolPath: string;
  readonly inputHash: string;
  /** As its event has it: redacted. */
  readonly input: unknown;
  /** How often the process died while it ran. */
  readonly deaths: number;
  /** What its tool was when the user was last asked about it. */
  readonly toolHash?: string | undefined;
  /** Questions that the call asked while it ran. It no longer waits for their answers. */
  readonly questions?: readonly ApprovalId[];
  readonly stage:
    /** The user was asked whether it may run. */
    | { readonly kind: "asked"; readonly asked: Asked }
    /** The call was running, so it is unknown whether it took effect. */
    | { readonly kind: "started" }
    /** The user was asked for the outcome of the call. */
    | { readonly kind: "questioned"; readonly approvalId: ApprovalId };
}

/** A call that a plan has listed, and the plan. */
export type PriorPlanned = PlannedCall & { readonly asked: Asked };

/** The calls of one cell that have not settled, by index, read from its events. */
export function createPriorCalls(cellId: string): {
  apply(event: CanonicalEvent): void;
  readonly byIndex: ReadonlyMap<number, PriorCall>;
  /** Calls that plans have listed and that the cell has not made yet, in the order of the plans. */
  listed(): readonly PriorPlanned[];
} {
  const planned = new Map<string, PriorPlanned>();
  const byIndex = new Map<number, PriorCall>();
  const indexOf = new Map<string, number>();
  const move = (callId: string, stage: PriorCall["stage"]): void => {
    const index = indexOf.get(callId);
    const call = index === undefined ? undefined : byIndex.get(index);
    if (index !== undefined && call !== undefined) byIndex.set(index, { ...call, stage });
  };

  const noteTool = (callId: string, toolHash: string | undefined): void => {
    const index = indexOf.get(callId);
    const call = index === undefined ? undefined : byIndex.get(index);
    if (index !== undefined && call !== undefined) byIndex.set(index, { ...call, toolHash });
  };

  const noteQuestion = (callId: string, approvalId: ApprovalId): void => {
    const index = indexOf.get(callId);
    const call = index === undefined ? undefined : byIndex.get(index);
    if (index !== undefined && call !== undefined)
      byIndex.set(index, { ...call, questions: [...(call.questions ?? []), approvalId] });
  };

  return {
    byIndex,
    listed: () => [...planned.values()].filter(({ callId }) => !indexOf.has(callId)),
    apply(event) {
      switch (event.type) {
        case "call.requested": {
          const { callId, index, toolPath, input, inputHash } = event.data;
          if (event.data.cellId !== cellId) return;
          indexOf.set(callId, index);
          // Listed by a plan, it was asked about before it was made; else that comes next.
          const known = planned.get(callId);
          const asked = known?.asked ?? { approvalId: callId, bindingHash: "" };
          const stage = { kind: "asked", asked } as const;
          const { toolHash } = known ?? {};
          byIndex.set(index, { callId, toolPath, inputHash, input, toolHash, deaths: 0, stage });
          break;
        }
        case "approval.requested": {
          const { approvalId, bindingHash, circumstances, toolHash, unknownCall, askedBy, calls } =
            event.data;
          const asked: Asked = { approvalId, bindingHash, circumstances, toolHash, calls };
          noteTool(unknownCall ?? approvalId, toolHash);
          if (askedBy !== undefined) noteQuestion(askedBy, approvalId);
          else if (unknownCall !== undefined) move(unknownCall, { kind: "questioned", approvalId });
          else if (calls === undefined) move(approvalId, { kind: "asked", asked });
          else if (event.data.cellId === cellId)
            for (const call of calls) {
              planned.set(call.callId, { ...call, asked });
              noteTool(call.callId, call.toolHash);
              move(call.callId, { kind: "asked", asked });
            }
          break;
        }
        case "call.started":
          move(event.data.callId, { kind: "started" });
          break;
        case "turn.claimed":
          if (event.data.lost)
            for (const [index, call] of byIndex)
              if (call.stage.kind === "started") byIndex.set(index, { ...call, deaths: call.deaths + 1 });
          break;
        case "call.settled":
          byIndex.delete(indexOf.get(event.data.callId) ?? -1);
          break;
        default:
      }
    },
  };
}
