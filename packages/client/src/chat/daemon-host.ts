import type { SessionEntry } from "@deputy/agent/sessions";
import type { Clock } from "@deputy/kit";
import { type FindDaemon, openDaemonLink } from "../daemon-link.ts";
import { createDaemonSessions } from "../daemon-sessions.ts";
import { openTerminalSession } from "./open-terminal-session.ts";
import type { ChatGrants, ChatHost, OpenedConversation } from "./conversation.ts";
import { talkThrough } from "./daemon-conversation.ts";
import { describeResumed } from "./describe-resumed.ts";

const never = new AbortController().signal;
/** As many as somebody reads. */
const MOST_FILES = 20;

/** Conversations of the home's daemon, until disposed. Calls `tell` when the daemon goes away and comes back. */
export async function openDaemonHost(
  deps: {
    readonly find: FindDaemon;
    readonly grants: ChatGrants;
    readonly clock: Clock;
    readonly tell: (text: string) => void;
  },
  signal: AbortSignal,
): Promise<ChatHost & Disposable> {
  const link = await openDaemonLink(deps, signal);
  const sessions = createDaemonSessions(link);

  const talkIn = async (session: SessionEntry): Promise<OpenedConversation> => ({
    conversation: talkThrough(link, session, await sessions.headOf(session)),
  });
  return {
    async open(options, openSignal) {
      const { agents } = await link.call("agents.list", {}, "safe_to_repeat", openSignal);
      const defaultAgent = agents.find(({ isDefault }) => isDefault)?.id ?? "";
      const { kind, session } = await openTerminalSession(sessions, { ...options, defaultAgent }, openSignal);
      const opened = await talkIn(session);
      if (kind === "started") return opened;
      return { ...opened, greeting: describeResumed(session, await deps.grants.list()) };
    },
    startAnew: async (session) => await talkIn(await sessions.start(session)),
    async list() {
      const listed = await link.call("sessions.list", {}, "safe_to_repeat", never);
      return listed.sessions.filter(({ isTask }) => !isTask);
    },
    grants: deps.grants,
    efforts: {
      of: async (session) => (await sessions.find(session))?.effort,
      choose: async (sessionKey, effort, chooseSignal) =>
        void (await link.call("sessions.update", { sessionKey, effort }, "safe_to_repeat", chooseSignal)),
    },
    models: {
      of: async (session) => (await sessions.find(session))?.model,
      choices: async (askSignal) =>
        (await link.call("models.status", {}, "safe_to_repeat", askSignal)).choices,
      choose: async (sessionKey, model, chooseSignal) =>
        void (await link.call("sessions.update", { sessionKey, model }, "safe_to_repeat", chooseSignal)),
    },
    tasks: async (askSignal) => (await link.call("tasks.list", {}, "safe_to_repeat", askSignal)).tasks,
    waiting: async (askSignal) =>
      (await link.call("exec.pending", {}, "safe_to_repeat", askSignal)).approvals,
    files: async (query, askSignal) =>
      (await link.call("workspace.find", { query, limit: MOST_FILES }, "safe_to_repeat", askSignal)).paths,
    [Symbol.dispose]: () => link[Symbol.dispose](),
  };
}
