import type { GrantId } from "@deputy/kit";
import type { ApprovalId, ApprovalScope, EventLog, GrantBinding, StreamId } from "@deputy/protocol";
import type { Grant } from "@deputy/policy";
import { createLogView } from "../views/log-view.ts";

/** A grant with everything that it is bound to; `findHolding` says what of it holds. */
export interface BoundGrant extends Grant {
  /** Absent for one that is only hoped for. */
  readonly id?: GrantId | undefined;
  readonly bindings: readonly GrantBinding[];
}

export interface GrantsView {
  /** The grants of a session that were not revoked; expiry is the policy's to judge. Those of plans are not among them. */
  of(stream: StreamId): Promise<readonly BoundGrant[]>;
  /** A plan's grant that was given and not revoked, as of the last `of`: each of its calls may run once. */
  ofPlan(stream: StreamId, planId: ApprovalId): GrantId | undefined;
}

interface HeldGrant {
  readonly stream: StreamId;
  readonly scope: ApprovalScope;
  readonly planId: ApprovalId | undefined;
  readonly grant: BoundGrant;
}

export function createGrantsView(log: EventLog): GrantsView {
  const grants = new Map<string, HeldGrant>();
  const view = createLogView(log, ["grant.created", "grant.revoked"], grants, (held, event) => {
    if (event.type === "grant.revoked") held.delete(event.data.grantId);
    if (event.type !== "grant.created") return;
    const { grantId, bindings, expiresAt, scope, planId } = event.data;
    const expiry = expiresAt === undefined ? {} : { expiresAtMs: Date.parse(expiresAt) };
    held.set(grantId, { stream: event.stream, scope, planId, grant: { id: grantId, bindings, ...expiry } });
  });
  return {
    async of(stream) {
      const { state } = await view.current();
      return [...state.values()]
        .filter((entry) => entry.stream === stream && entry.scope !== "plan")
        .map((entry) => entry.grant);
    },
    ofPlan: (stream, planId) =>
      grants
        .values()
        .find((entry) => entry.stream === stream && entry.scope === "plan" && entry.planId === planId)?.grant
        .id,
  };
}
