import type { EventLog, StreamId } from "@deputy/protocol";
import type { Grant } from "@deputy/policy";
import { createLandmarkView } from "./landmark-view.ts";

export interface GrantsView {
  /** The grants of a session that were not revoked; expiry is the policy's to judge. */
  of(stream: StreamId): Promise<readonly Grant[]>;
}

export function createGrantsView(log: EventLog): GrantsView {
  const view = createLandmarkView(
    log,
    ["grant.created", "grant.revoked"],
    new Map<string, { readonly stream: StreamId; readonly grant: Grant }>(),
    (grants, event) => {
      if (event.type === "grant.revoked") grants.delete(event.data.grantId);
      if (event.type !== "grant.created") return;
      const { grantId, bindings, expiresAt } = event.data;
      const expiry = expiresAt === undefined ? {} : { expiresAtMs: Date.parse(expiresAt) };
      grants.set(grantId, { stream: event.stream, grant: { bindings, ...expiry } });
    },
  );
  return {
    async of(stream) {
      const { state } = await view.current();
      return [...state.values()].filter((entry) => entry.stream === stream).map((entry) => entry.grant);
    },
  };
}
