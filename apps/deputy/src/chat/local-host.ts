import { createLogSessionService } from "@deputy/agent/sessions";
import type { Engine } from "../engine.ts";
import { openTerminalSession } from "@deputy/client/sessions";
import type { ChatHost } from "@deputy/client";
import { describeResumed } from "@deputy/client/sessions";
import { talkIn } from "./local-conversation.ts";

/** Conversations of this process, which has the home to itself. */
export function createLocalHost(engine: Engine, defaultAgent: string, door?: string): ChatHost {
  const { log, ids } = engine;
  const sessions = createLogSessionService({ log, ids });
  return {
    async open(options, signal) {
      await engine.agents.read(options.agent ?? defaultAgent, signal);
      const { kind, session } = await openTerminalSession(sessions, { ...options, defaultAgent }, signal);
      if (kind === "started") return { conversation: await talkIn(engine, session, door) };
      const going = describeResumed(session, await engine.grants.list());
      const conversation = await talkIn(engine, session, door);
      const left = await engine.conversations.resume(session.id);
      return {
        conversation,
        greeting: left === undefined ? going : `${going}\nIts last turn was interrupted; going on with it.`,
      };
    },
    async startAnew({ agentId, key, channel }) {
      await engine.agents.read(agentId, new AbortController().signal);
      const session = await sessions.start({ agentId, key, channel });
      return { conversation: await talkIn(engine, session, door) };
    },
    grants: {
      list: engine.grants.list,
      revoke: async (id) => void (await engine.grants.revoke(id, "user")),
    },
    efforts: {
      of: async (session) => (await sessions.find(session))?.effort,
      choose: (session, effort) => sessions.update(session, { effort }, "user"),
    },
    list: async () => (await sessions.list()).filter(({ isTask }) => !isTask),
  };
}
