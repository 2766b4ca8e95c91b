import type { PlanEntry, PlanEntryStatus, SessionUpdate } from "@agentclientprotocol/sdk";
import type { EventData } from "@deputy/protocol";
import { titleOf } from "./tool-content.ts";

/** The plan that is on show: the calls of the last one that was proposed, and how far they are. */
export interface PlanEntries {
  propose(plan: EventData<"plan.proposed">): readonly SessionUpdate[];
  /** Nothing for a call that is not part of it. */
  move(callId: string, status: PlanEntryStatus): readonly SessionUpdate[];
}

export function createPlanEntries(): PlanEntries {
  let entries: readonly { readonly callId: string | undefined; readonly entry: PlanEntry }[] = [];
  const told = (): readonly SessionUpdate[] => [
    { sessionUpdate: "plan", entries: entries.map(({ entry }) => entry) },
  ];
  return {
    propose({ calls }) {
      entries = calls.map(({ callId, toolPath, input }) => ({
        callId,
        entry: {
          content: titleOf(`${toolPath} ${JSON.stringify(input)}`),
          priority: "medium",
          status: "pending",
        },
      }));
      return told();
    },
    move(callId, status) {
      if (!entries.some((one) => one.callId === callId)) return [];
      entries = entries.map((one) =>
        one.callId === callId ? { callId, entry: { ...one.entry, status } } : one,
      );
      return told();
    },
  };
}
