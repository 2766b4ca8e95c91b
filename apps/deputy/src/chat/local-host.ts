import { createGrantsView } from "@deputy/agent";
import { createLogSessionService, type SessionEntry } from "@deputy/agent/sessions";
import { makeVisible } from "@deputy/kit";
import type { EventLog } from "@deputy/protocol";
import type { Engine } from "../engine.ts";
import { openTurnOf } from "../go-on-with-turns.ts";
import { openTerminalSession } from "../open-terminal-session.ts";
import type { ChatHost } from "./conversation.ts";
import { talkIn } from "./local-conversation.ts";

/** Conversations of this process, which has the home to itself. */
export function createLocalHost(engine: Engine, defaultAgent: string): ChatHost {
  const { log, ids } = engine;
  const sessions = createLogSessionService({ log, ids });
  return {
    async open(options, signal) {
      await engine.agents.read(options.agent ?? defaultAgent, signal);
      const { kind, session } = await openTerminalSession(sessions, { ...options, defaultAgent }, signal);
      if (kind === "started") return { conversation: await talkIn(engine, session, undefined) };
      const left = await openTurnOf(log, session);
      const going = await describeResumed(log, session);
      return {
        conversation: await talkIn(engine, session, left),
        greeting: left === undefined ? going : `${going}\nIts last turn was interrupted; going on with it.`,
      };
    },
    async startAnew({ agentId, key, channel }) {
      const session = await sessions.start({ agentId, key, channel });
      return { conversation: await talkIn(engine, session, undefined) };
    },
    list: async () => (await sessions.list()).filter(({ isTask }) => !isTask),
  };
}

/** Also what is allowed in it without asking, which somebody who comes back may have forgotten. */
async function describeResumed(log: EventLog, { id, key, turns, lastAt }: SessionEntry): Promise<string> {
  const grants = await createGrantsView(log).of(id);
  const allowed = new Set(grants.flatMap(({ bindings }) => bindings.map(({ toolPath }) => toolPath)));
  const going = `Going on with ${key}: ${turns} ${turns === 1 ? "turn" : "turns"}, the last on ${lastAt.slice(0, 10)}.`;
  return makeVisible(
    allowed.size === 0 ? going : `${going} You allowed ${[...allowed].join(", ")} for this session.`,
  );
}
