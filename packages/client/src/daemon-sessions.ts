import type { SessionEntry, SessionService } from "@deputy/agent/sessions";
import { ClientError } from "./client-error.ts";
import type { DaemonLink } from "./daemon-link.ts";

/** The methods of the daemon's sessions that a terminal needs to open one. All throw as the link's `call` does. */
export type DaemonSessions = Pick<SessionService, "find" | "start" | "open"> & {
  /** The last event of one. */
  headOf(session: SessionEntry): Promise<number>;
};

const never = new AbortController().signal;

export function createDaemonSessions(link: DaemonLink): DaemonSessions {
  const get = (sessionKey: string) => link.call("sessions.get", { sessionKey }, "safe_to_repeat", never);
  return {
    async find(idOrKey) {
      try {
        return (await get(idOrKey)).session;
      } catch (error) {
        if (error instanceof ClientError && error.code === "not_found") return undefined;
        throw error;
      }
    },
    async start({ key, agentId, channel }) {
      const { session } = await link.call("sessions.create", { key, agentId, channel }, "once", never);
      return session;
    },
    async open({ key, agentId, channel }, signal) {
      const request = { key, agentId, channel, existing: "go_on" as const };
      const { outcome, session } = await link.call("sessions.create", request, "safe_to_repeat", signal);
      return { kind: outcome, session };
    },
    headOf: async ({ id }) => (await get(id)).head,
  };
}
