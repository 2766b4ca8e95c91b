import type { Clock, GrantId } from "@deputy/kit";
import type { EventLog, StandingGrant } from "@deputy/protocol";
import { createGrantsReader, type GrantsReader } from "./grants-reader.ts";

/** What the user has allowed beyond one call, and the way to revoke it. The log holds all state. */
export interface GrantsDesk extends Pick<GrantsReader, "list"> {
  /** From the next call on it allows nothing. Durable once resolved; rejects as the log does. */
  revoke(id: GrantId, by: string): Promise<RevokeOutcome>;
}

export type RevokeOutcome =
  | { readonly kind: "revoked"; readonly grant: StandingGrant }
  | { readonly kind: "already_revoked"; readonly grant: StandingGrant }
  | { readonly kind: "unknown" };

export function createLogGrantsDesk(deps: {
  readonly log: Pick<EventLog, "readAll" | "read" | "append">;
  readonly clock: Pick<Clock, "now">;
}): GrantsDesk {
  const reader = createGrantsReader(deps);
  return {
    list: reader.list,
    async revoke(id, by) {
      const found = await reader.find(id);
      if (found === undefined) return { kind: "unknown" };
      const { grant } = found;
      if (found.isRevoked) return { kind: "already_revoked", grant };
      await deps.log.append(grant.stream, [{ type: "grant.revoked", data: { grantId: id, by } }]);
      return { kind: "revoked", grant };
    },
  };
}
