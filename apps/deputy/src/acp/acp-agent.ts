import { isAbsolute } from "node:path";
import {
  agent,
  type AgentApp,
  type AgentContext,
  type AgentCapabilities,
  methods,
  PROTOCOL_VERSION,
  RequestError,
} from "@agentclientprotocol/sdk";
import { parseId } from "@deputy/kit";
import type { ChatHost, Conversation } from "../chat/conversation.ts";
import { type AcpSession, createAcpSession } from "./acp-session.ts";
import { ACP_CHANNEL, keyOfFolder } from "./folder-key.ts";
import { listSessions } from "./list-sessions.ts";
import { readPrompt } from "./read-prompt.ts";
import { toRequestError } from "./request-failure.ts";

export interface AcpAgentDeps {
  /** Opened by the first request that needs it: an editor may start this long before. */
  readonly host: () => Promise<ChatHost>;
  /** Who is talked to in new sessions. */
  readonly agentId: string;
  readonly version: string;
  /** The folder that the workspace is a copy of. */
  readonly workspaceFolder: () => Promise<string | undefined>;
  /** Told what the editor asked for and does not get. */
  readonly warn: (text: string) => void;
  readonly onBug: (error: unknown) => void;
  /** Aborted when the editor is gone. */
  readonly gone: AbortSignal;
}

/** What this side does, and nothing else: files and commands of the editor are not used. */
const CAPABILITIES: AgentCapabilities = {
  loadSession: true,
  promptCapabilities: { image: false, audio: false, embeddedContext: true },
  mcpCapabilities: { http: false, sse: false },
  sessionCapabilities: { list: {}, resume: {}, close: {} },
};

interface Opened {
  readonly conversation: Conversation;
  readonly session: AcpSession;
  readonly closed: AbortController;
}

/** The protocol's methods over a host of conversations; sessions live side by side. */
export function createAcpAgent(deps: AcpAgentDeps): AgentApp {
  const opened = new Map<string, Opened>();
  /** Loading twice at once must not go on with the same turn twice. */
  const opening = new Map<string, Promise<Opened>>();
  let notices = false;

  const attach = (conversation: Conversation, client: AgentContext): Opened => {
    const closed = new AbortController();
    const gone = AbortSignal.any([deps.gone, closed.signal]);
    const session = createAcpSession({ conversation, client, notices, gone, onBug: deps.onBug });
    const entry = { conversation, session, closed };
    opened.set(conversation.session.id, entry);
    return entry;
  };
  const find = (sessionId: string): Opened => {
    const entry = opened.get(sessionId);
    if (entry === undefined) throw RequestError.sessionNotFound(sessionId);
    return entry;
  };
  /** Only by its id: a name would begin a session of that name. */
  const open = async (sessionId: string, client: AgentContext): Promise<Opened> => {
    if (parseId("session", sessionId) === undefined) throw RequestError.sessionNotFound(sessionId);
    const known = opened.get(sessionId) ?? (await opening.get(sessionId));
    if (known !== undefined) return known;
    const work = (async () => {
      const host = await deps.host();
      return attach((await host.open({ session: sessionId }, deps.gone)).conversation, client);
    })();
    opening.set(sessionId, work);
    return await work.finally(() => opening.delete(sessionId));
  };
  const noteSettings = async (
    { session }: Opened,
    { cwd, mcpServers = [] }: { readonly cwd: string; readonly mcpServers?: readonly { name: string }[] },
  ): Promise<void> => {
    if (mcpServers.length > 0) {
      const names = mcpServers.map(({ name }) => name).join(", ");
      const told = `Deputy does not start MCP servers for an editor, and leaves out: ${names}. Its tools are those of its own configuration.`;
      session.notice(told);
      deps.warn(told);
    }
    const folder = await deps.workspaceFolder();
    if (folder === cwd) return;
    const now = folder === undefined ? "which is empty so far" : `a copy of ${folder}`;
    session.notice(
      `Deputy works in its workspace, ${now}, and not in ${cwd}. \`deputy workspace import ${cwd}\` makes it a copy of that.`,
    );
  };
  const assertFolder = (cwd: string): void => {
    if (!isAbsolute(cwd)) throw RequestError.invalidParams(undefined, "cwd must be an absolute path");
  };

  /** Whatever is thrown becomes an answer that is safe to show. */
  const answer =
    <Context, Response>(handle: (context: Context) => Promise<Response>) =>
    async (context: Context): Promise<Response> => {
      try {
        return await handle(context);
      } catch (error) {
        throw toRequestError(error, deps.onBug);
      }
    };

  return agent({ name: "deputy" })
    .onRequest(methods.agent.initialize, ({ params }) => {
      notices = params.clientCapabilities?.session?.notices != null;
      return {
        // The only one there is: a client that cannot speak it hangs up.
        protocolVersion: PROTOCOL_VERSION,
        agentInfo: { name: "deputy", title: "Deputy", version: deps.version },
        agentCapabilities: CAPABILITIES,
        authMethods: [],
      };
    })
    .onRequest(methods.agent.authenticate, () => {
      throw RequestError.invalidParams(
        undefined,
        "There is nothing to sign in to. Whoever may start this program may use it",
      );
    })
    .onRequest(
      methods.agent.session.new,
      answer(async ({ params, client }) => {
        assertFolder(params.cwd);
        const host = await deps.host();
        const { conversation } = await host.startAnew({
          agentId: deps.agentId,
          key: keyOfFolder(params.cwd),
          channel: ACP_CHANNEL,
        });
        const entry = attach(conversation, client);
        await noteSettings(entry, params);
        await entry.session.show("skip");
        return { sessionId: conversation.session.id };
      }),
    )
    .onRequest(
      methods.agent.session.load,
      answer(async ({ params, client }) => {
        assertFolder(params.cwd);
        const entry = await open(params.sessionId, client);
        await noteSettings(entry, params);
        await entry.session.show("tell");
        return {};
      }),
    )
    .onRequest(
      methods.agent.session.resume,
      answer(async ({ params, client }) => {
        assertFolder(params.cwd);
        const entry = await open(params.sessionId, client);
        await noteSettings(entry, params);
        await entry.session.show("skip");
        return {};
      }),
    )
    .onRequest(
      methods.agent.session.list,
      answer(async ({ params }) => listSessions(await (await deps.host()).list(), params)),
    )
    .onRequest(
      methods.agent.session.close,
      answer(async ({ params }) => {
        const { session, conversation, closed } = find(params.sessionId);
        session.cancel();
        await conversation.idle(deps.gone);
        opened.delete(params.sessionId);
        closed.abort();
        return {};
      }),
    )
    .onRequest(
      methods.agent.session.prompt,
      answer(async ({ params, signal }) => {
        const { session } = find(params.sessionId);
        const prompt = readPrompt(params.prompt);
        // The request taken back, as `session/cancel`; a client that is gone stops nothing.
        const cancel = (): void => void (!deps.gone.aborted && session.cancel());
        signal.addEventListener("abort", cancel, { once: true });
        const end = await session.prompt(prompt);
        if (end.kind === "stopped") return { stopReason: end.reason };
        throw new RequestError(-32_603, end.message, { code: end.code });
      }),
    )
    .onNotification(methods.agent.session.cancel, ({ params }) => {
      opened.get(params.sessionId)?.session.cancel();
    });
}
