import type { Clock, GrantId } from "@deputy/kit";
import type { CanonicalEvent, EventLog, StandingGrant, StreamId } from "@deputy/protocol";
import { createLogView } from "../views/log-view.ts";

/** Reads grants from a log that another process may be writing to. Both methods reject as the log does. */
export interface GrantsReader {
  /** Those that can still allow something, oldest first. */
  list(): Promise<readonly StandingGrant[]>;
  /** Any that there ever was. */
  find(id: GrantId): Promise<{ readonly grant: StandingGrant; readonly isRevoked: boolean } | undefined>;
}

interface Held {
  readonly grant: StandingGrant;
  readonly turnId: string | undefined;
  isRevoked: boolean;
}

interface Grants {
  readonly byId: Map<GrantId, Held>;
  /** Those whose task, or whose plan's turn, has not ended: what they allow may still come. */
  readonly open: Map<StreamId, Set<Held>>;
}

const TYPES = [
  "grant.created",
  "grant.revoked",
  "turn.completed",
  "turn.failed",
  "turn.aborted",
  "task.completed",
] as const;

export function createGrantsReader(deps: {
  readonly log: Pick<EventLog, "readAll">;
  readonly clock: Pick<Clock, "now">;
}): GrantsReader {
  const nothing: Grants = { byId: new Map(), open: new Map() };
  const view = createLogView(deps.log, TYPES, nothing, applyGrant);
  const inForce = ({ grant: { expiresAt }, isRevoked }: Held): boolean =>
    !isRevoked && (expiresAt === undefined || Date.parse(expiresAt) > deps.clock.now());
  return {
    async list() {
      const { byId, open } = (await view.current()).state;
      return [...byId.values()]
        .filter((held) => open.get(held.grant.stream)?.has(held) === true && inForce(held))
        .map(({ grant }) => grant);
    },
    async find(id) {
      return (await view.current()).state.byId.get(id);
    },
  };
}

function applyGrant({ byId, open }: Grants, event: CanonicalEvent): void {
  const { stream, type, turnId } = event;
  if (type === "grant.created") {
    const { grantId: id, scope, bindings, planId, expiresAt } = event.data;
    const paths = [...new Set(bindings.map(({ toolPath }) => toolPath))];
    const { title = paths.join(", "), lines = [] } = event.data;
    const more = {
      ...(planId === undefined ? {} : { planId }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    };
    const grant = { id, stream, scope, title, lines, bindings, createdAt: event.at, ...more };
    const held: Held = { grant, turnId, isRevoked: false };
    byId.set(id, held);
    open.set(stream, (open.get(stream) ?? new Set()).add(held));
  } else if (type === "grant.revoked") {
    const held = byId.get(event.data.grantId);
    if (held !== undefined) held.isRevoked = true;
  } else if (type === "task.completed") {
    open.delete(stream);
  } else {
    for (const held of open.get(stream) ?? [])
      if (held.grant.scope === "plan" && held.turnId === turnId) open.get(stream)?.delete(held);
  }
}
