import type { Clock, GrantId } from "@deputy/kit";
import type { CanonicalEvent, EventLog, StandingGrant, StreamId } from "@deputy/protocol";
import { createLogView } from "../views/log-view.ts";

/** Reads grants from a log that another process may be writing to. Both methods reject as the log does. */
export interface GrantsReader {
  /** Those that can still allow something, oldest first, each with how often it did. */
  list(): Promise<readonly StandingGrant[]>;
  /** Any that there ever was. */
  find(id: GrantId): Promise<{ readonly grant: StandingGrant; readonly isRevoked: boolean } | undefined>;
}

interface Held {
  readonly grant: StandingGrant;
  /** Of the event that gave it: nothing before it used it. */
  readonly seq: number;
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
  readonly log: Pick<EventLog, "readAll" | "read">;
  readonly clock: Pick<Clock, "now">;
}): GrantsReader {
  const nothing: Grants = { byId: new Map(), open: new Map() };
  const view = createLogView(deps.log, TYPES, nothing, applyGrant);
  const uses = createUses(deps.log);
  const inForce = ({ grant: { expiresAt }, isRevoked }: Held): boolean =>
    !isRevoked && (expiresAt === undefined || Date.parse(expiresAt) > deps.clock.now());
  return {
    async list() {
      const { byId, open } = (await view.current()).state;
      const listed = [...byId.values()].filter(
        (held) => open.get(held.grant.stream)?.has(held) === true && inForce(held),
      );
      await uses.readFor(listed);
      return listed.map(({ grant }) => Object.assign({}, grant, uses.of(grant)));
    },
    async find(id) {
      return (await view.current()).state.byId.get(id);
    },
  };
}

interface Uses {
  readonly uses: number;
  readonly lastUsedAt?: string;
}

/**
 * How often grants were used. Calls are found in the sessions of those that are asked for, from the first of them on;
 * what was read once is not read again.
 */
function createUses(log: Pick<EventLog, "read">) {
  const sessions = new Map<StreamId, { after: number; readonly byId: Map<GrantId, Uses> }>();
  return {
    async readFor(listed: readonly Held[]): Promise<void> {
      const streams = new Set(listed.map(({ grant }) => grant.stream));
      for (const known of sessions.keys()) if (!streams.has(known)) sessions.delete(known);
      for (const stream of streams) {
        const first = Math.min(...listed.flatMap(({ grant, seq }) => (grant.stream === stream ? [seq] : [])));
        const session = sessions.get(stream) ?? { after: first, byId: new Map<GrantId, Uses>() };
        sessions.set(stream, session);
        for await (const { seq, type, data, at } of log.read(stream, { after: session.after })) {
          session.after = seq;
          if (type !== "call.decided") continue;
          const { grantId } = (data ?? {}) as { readonly grantId?: GrantId };
          if (grantId === undefined) continue;
          const { uses } = session.byId.get(grantId) ?? { uses: 0 };
          session.byId.set(grantId, { uses: uses + 1, lastUsedAt: at });
        }
      }
    },
    of: ({ id, stream }: StandingGrant): Uses => sessions.get(stream)?.byId.get(id) ?? { uses: 0 },
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
    const held: Held = { grant, seq: event.seq, turnId, isRevoked: false };
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
