import { isAbsolute, relative } from "node:path";
import {
  agent,
  type AgentApp,
  type AgentContext,
  type AgentCapabilities,
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type ListSessionsRequest,
  type ListSessionsResponse,
} from "@agentclientprotocol/sdk";
import { makeVisible, parseId, CodedError, isAbort } from "@deputy/kit";
import type { ChatHost, Conversation } from "@deputy/client";
import type { SessionSummary } from "@deputy/agent/sessions";
import { type AcpSession, createAcpSession } from "./acp-session.ts";
import { ACP_CHANNEL, keyOfFolder, folderOfKey } from "./folder-key.ts";
import { readPrompt } from "./read-prompt.ts";

const NOT_FOUND: ReadonlySet<string> = new Set(["unknown_stream", "not_found", "unknown_session"]);

const PAGE = 50;

export interface AcpAgentDeps {
  /** Opened by the first request that needs it: an editor may start this long before. */
  readonly host: () => Promise<ChatHost>;
  /** The agent of new sessions. */
  readonly agentId: string;
  readonly version: string;
  /** The folder that the workspace is a copy of; undefined before there is one. */
  readonly workspaceFolder: () => Promise<string | undefined>;
  /** Called with requests of the editor that are not supported. */
  readonly warn: (text: string) => void;
  readonly onBug: (error: unknown) => void;
  /** Aborted when the editor is gone. */
  readonly gone: AbortSignal;
}

/** The capabilities of this side. It does not use files and commands of the editor. */
const CAPABILITIES: AgentCapabilities = {
  loadSession: true,
  promptCapabilities: { image: false, audio: false, embeddedContext: true },
  mcpCapabilities: { http: false, sse: false },
  sessionCapabilities: { list: {}, resume: {}, close: {} },
};

/** The protocol's methods over a host of conversations; several sessions can be open. */
export function createAcpAgent(deps: AcpAgentDeps): AgentApp {
  const opened = new Map<string, AcpSession>();
  /** Concurrent loads must not continue the same turn twice. */
  const opening = new Map<string, Promise<AcpSession>>();
  let notices = false;

  const attach = (conversation: Conversation, client: AgentContext): AcpSession => {
    const { gone, onBug } = deps;
    const session = createAcpSession({ conversation, client, notices, gone, onBug });
    opened.set(conversation.session.id, session);
    return session;
  };
  const find = (sessionId: string): AcpSession => {
    const session = opened.get(sessionId);
    if (session === undefined) throw RequestError.sessionNotFound(sessionId);
    return session;
  };
  /** Only by its id: a name would begin a new session. */
  const open = async (sessionId: string, client: AgentContext): Promise<AcpSession> => {
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
    session: AcpSession,
    { cwd, mcpServers = [] }: { readonly cwd: string; readonly mcpServers?: readonly { name: string }[] },
  ): Promise<void> => {
    if (mcpServers.length > 0) {
      const names = mcpServers.map(({ name }) => name).join(", ");
      const told = `Deputy does not start MCP servers for an editor, and leaves out: ${names}. Its tools are those of its own configuration.`;
      session.notice(makeVisible(told));
      deps.warn(told);
    }
    const folder = await deps.workspaceFolder();
    if (folder !== undefined && relative(folder, cwd) === "") return;
    const now = folder === undefined ? "which is empty so far" : `a copy of ${folder}`;
    session.notice(
      makeVisible(
        `Deputy works in its workspace, ${now}, and not in ${cwd}. \`deputy workspace import\` makes it a copy of a folder.`,
      ),
    );
  };
  const assertFolder = (cwd: string): void => {
    if (!isAbsolute(cwd)) throw RequestError.invalidParams(undefined, "cwd must be an absolute path");
  };

  /** Turns every error into an answer that is safe to show. */
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
      notices = typeof params.clientCapabilities?.session?.notices === "object";
      return {
        // The only supported version: a client that does not know it hangs up.
        protocolVersion: PROTOCOL_VERSION,
        agentInfo: { name: "deputy", title: "Deputy", version: deps.version },
        agentCapabilities: CAPABILITIES,
        authMethods: [],
      };
    })
    .onRequest(methods.agent.authenticate, () => {
      throw RequestError.invalidParams(
        undefined,
        "No sign-in is needed. Anyone who can start this program can use it",
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
        const session = attach(conversation, client);
        await noteSettings(session, params);
        await session.show("skip");
        return { sessionId: conversation.session.id };
      }),
    )
    .onRequest(
      methods.agent.session.load,
      answer(async ({ params, client }) => {
        assertFolder(params.cwd);
        const session = await open(params.sessionId, client);
        await noteSettings(session, params);
        await session.show("tell");
        return {};
      }),
    )
    .onRequest(
      methods.agent.session.resume,
      answer(async ({ params, client }) => {
        assertFolder(params.cwd);
        const session = await open(params.sessionId, client);
        await noteSettings(session, params);
        await session.show("skip");
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
        await find(params.sessionId).close();
        opened.delete(params.sessionId);
        return {};
      }),
    )
    .onRequest(
      methods.agent.session.prompt,
      answer(async ({ params, signal }) => {
        const session = find(params.sessionId);
        const prompt = readPrompt(params.prompt);
        // A cancelled request acts like `session/cancel`; a client that is gone stops nothing.
        const cancel = (): void => void (!deps.gone.aborted && session.cancel());
        signal.addEventListener("abort", cancel, { once: true });
        const end = await session.prompt(prompt);
        if (end.kind === "stopped") return { stopReason: end.reason };
        throw new RequestError(-32_603, end.message, { code: end.code });
      }),
    )
    .onNotification(methods.agent.session.cancel, ({ params }) => {
      opened.get(params.sessionId)?.cancel();
    });
}

/** The sessions that an editor began, last used first. A cursor is the last listed session. */
export function listSessions(
  sessions: readonly SessionSummary[],
  { cwd, cursor }: ListSessionsRequest,
): ListSessionsResponse {
  const listed = sessions.flatMap(({ id, key, title, lastAt }) => {
    const folder = folderOfKey(key);
    if (folder === undefined || folder !== (cwd ?? folder)) return [];
    return [{ sessionId: id, cwd: folder, title, updatedAt: lastAt }];
  });
  const isFirst = cursor === undefined || cursor === null;
  const after = isFirst ? -1 : listed.findIndex(({ sessionId }) => sessionId === cursor);
  if (!isFirst && after < 0) throw RequestError.invalidParams(undefined, "Not a cursor of this list");
  const page = listed.slice(after + 1, after + 1 + PAGE);
  const last = page.at(-1);
  const hasMore = after + 1 + PAGE < listed.length;
  return { sessions: page, ...(hasMore && last !== undefined ? { nextCursor: last.sessionId } : {}) };
}

/** The error that a client gets: a safe message, with what to do. Bugs go to `onBug`. */
function toRequestError(error: unknown, onBug: (error: unknown) => void): RequestError {
  if (error instanceof RequestError) return error;
  if (error instanceof CodedError) {
    const code = String(error.code);
    const told = /[.!?]$/.test(error.message) ? error.message : `${error.message}.`;
    const message = error.hint === undefined ? told : `${told} ${error.hint}`;
    return new RequestError(NOT_FOUND.has(code) ? -32_002 : -32_603, message, { code });
  }
  if (isAbort(error)) return RequestError.requestCancelled();
  onBug(error);
  return new RequestError(-32_603, "Something went wrong inside Deputy.", { code: "internal" });
}
