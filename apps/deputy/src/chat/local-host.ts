import { createLogSessionService } from "@deputy/agent/sessions";
import { modelChoices } from "../agents/model-choices.ts";
import { AppError } from "../app-error.ts";
import type { Engine } from "../engine.ts";
import type { Home } from "../home.ts";
import { openTerminalSession } from "@deputy/client/sessions";
import type { ChatHost } from "@deputy/client";
import { describeResumed } from "@deputy/client/sessions";
import { talkIn } from "./local-conversation.ts";

/** As many as somebody reads. */
const MOST_FILES = 20;

/** Conversations of this process, which has the home to itself. */
export function createLocalHost(engine: Engine, home: Home, door?: string): ChatHost {
  const { log, ids } = engine;
  const defaultAgent = home.config.agents.default;
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
    models: {
      of: async (session) => (await sessions.find(session))?.model,
      choices: async () => modelChoices(home, engine.defaultModel),
      async choose(session, model) {
        const choices = modelChoices(home, engine.defaultModel);
        if (model !== null && !choices.includes(model))
          throw new AppError("usage", "This model is not among those to choose from", {
            hint: `There are: ${choices.slice(0, 20).join(", ")}. \`deputy init\` connects another one.`,
          });
        await sessions.update(session, { model }, "user");
      },
    },
    tasks: () => engine.tasks.list(),
    waiting: () => engine.approvals.pending(),
    async files(query, signal) {
      const [{ openRecordedWorkspace }, { rankPaths }] = await Promise.all([
        import("../builtins/workspace-directory.ts"),
        import("@deputy/gateway/rank-paths"),
      ]);
      const workspace = await openRecordedWorkspace(home, log, "terminal");
      return rankPaths(await workspace.walk("", signal), query).slice(0, MOST_FILES);
    },
    list: async () => (await sessions.list()).filter(({ isTask }) => !isTask),
  };
}
