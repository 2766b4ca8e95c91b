import type { CallId } from "@deputy/kit";
import type { ApprovalId, CanonicalEvent } from "@deputy/protocol";

/** How far a call had come when the process that made it ended. */
export interface PriorCall {
  readonly callId: CallId;
  readonly toolPath: string;
  readonly inputHash: string;
  readonly stage:
    /** The user was asked whether it may run. */
    | { readonly kind: "asked" }
    /** It was running: nobody can say from here whether it took effect. */
    | { readonly kind: "started" }
    /** The user was asked what became of it. */
    | { readonly kind: "questioned"; readonly approvalId: ApprovalId };
}

/** The calls of one cell that have not settled, by index, as its events tell them. */
export function createPriorCalls(cellId: string): {
  apply(event: CanonicalEvent): void;
  readonly byIndex: ReadonlyMap<number, PriorCall>;
} {
  const byIndex = new Map<number, PriorCall>();
  const indexOf = new Map<string, number>();
  const move = (callId: string, stage: PriorCall["stage"]): void => {
    const index = indexOf.get(callId);
    const call = index === undefined ? undefined : byIndex.get(index);
    if (index !== undefined && call !== undefined) byIndex.set(index, { ...call, stage });
  };

  return {
    byIndex,
    apply(event) {
      switch (event.type) {
        case "call.requested": {
          const { callId, index, toolPath, inputHash } = event.data;
          if (event.data.cellId !== cellId) return;
          indexOf.set(callId, index);
          byIndex.set(index, { callId, toolPath, inputHash, stage: { kind: "asked" } });
          break;
        }
        case "approval.requested": {
          const { approvalId, unknownCall } = event.data;
          if (unknownCall !== undefined) move(unknownCall, { kind: "questioned", approvalId });
          break;
        }
        case "call.started":
          move(event.data.callId, { kind: "started" });
          break;
        case "call.settled":
          byIndex.delete(indexOf.get(event.data.callId) ?? -1);
          break;
        default:
      }
    },
  };
}
