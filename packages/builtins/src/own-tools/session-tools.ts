import { z } from "zod";
import { defineTool, type ToolTree, ToolsError } from "@deputy/tools";

/**
 * A line of a session, as a program sees it. To the program it always counts as someone else's text, also if the user
 * wrote it.
 */
export const sessionLineSchema = z.object({
  seq: z.int(),
  at: z.string(),
  kind: z.enum(["user", "assistant", "tool_use", "tool_result", "note"]),
  text: z.string(),
  toolPath: z.string().optional(),
});
export type SessionLine = z.infer<typeof sessionLineSchema>;

/** Other sessions, as the tools about them see them. All reject as the session service does. */
export interface OwnSessions {
  /** The one used last first. */
  list(limit: number): Promise<readonly ListedSession[]>;
  /** The last lines of a session, by id, or the newest session with that key. Undefined when there is none. */
  read(session: string, limit: number, signal: AbortSignal): Promise<ReadSession | undefined>;
  search(query: string, limit: number, signal: AbortSignal): Promise<readonly SessionHit[]>;
  /**
   * Sends a message that does not count as the user's. It is answered like any other. Undefined when there is no such
   * session.
   */
  send(message: {
    readonly session: string;
    readonly text: string;
    readonly from: string;
  }): Promise<{ readonly session: string } | undefined>;
}

export interface ListedSession {
  readonly id: string;
  readonly key: string;
  readonly agentId: string;
  readonly title: string;
  readonly turns: number;
  readonly lastAt: string;
}

export interface ReadSession {
  readonly id: string;
  readonly key: string;
  readonly lines: readonly SessionLine[];
  readonly isCut: boolean;
}

export interface SessionHit {
  readonly session: string;
  readonly key: string;
  readonly seq: number;
  readonly at: string;
  readonly role: "user" | "assistant";
  readonly snippet: string;
}

const MOST_LISTED = 100;
const MOST_LINES = 200;
const session = z.string().min(1).max(500).describe("Its id or key");

/** `tools.sessions`: messages of other sessions. All of them are untrusted: the user wrote them there, not here. */
export function sessionTools(sessions: () => OwnSessions): ToolTree {
  const noSuch = (): ToolsError =>
    new ToolsError("session_not_found", "There is no such session", { quotes: [] });
  return {
    list: defineTool({
      description: "List the conversations (sessions) there are, the one used last first",
      approval: "auto",
      effect: "read",
      isLocal: true,
      trust: { values: ["*.id", "*.lastAt", "*.turns"] },
      args: z.object({ limit: z.int().min(1).max(MOST_LISTED).default(20) }),
      returns: z.array(
        z.object({
          id: z.string(),
          key: z.string(),
          agentId: z.string(),
          title: z.string().describe("What was said first"),
          turns: z.int(),
          lastAt: z.string(),
        }),
      ),
      run: async ({ limit }) => [...(await sessions().list(limit))],
    }),
    get: defineTool({
      description: "Read the last lines of a conversation (session)",
      approval: "auto",
      effect: "read",
      isLocal: true,
      throws: ["session_not_found"],
      args: z.object({ session, limit: z.int().min(1).max(MOST_LINES).default(50) }),
      returns: z.object({
        id: z.string(),
        key: z.string(),
        lines: z.array(sessionLineSchema),
        isCut: z.boolean().describe("There are earlier lines"),
      }),
      source: (input) => `the session ${input.session}`,
      run: async (input, { signal }) => {
        const read = await sessions().read(input.session, input.limit, signal);
        if (read === undefined) throw noSuch();
        return { ...read, lines: [...read.lines] };
      },
    }),
    search: defineTool({
      description: "Search all conversations (sessions) for messages that hold all these words",
      approval: "auto",
      effect: "read",
      isLocal: true,
      args: z.object({ query: z.string().min(1).max(1_000), limit: z.int().min(1).max(50).default(20) }),
      returns: z.array(
        z.object({
          session: z.string(),
          key: z.string(),
          seq: z.int(),
          at: z.string(),
          role: z.enum(["user", "assistant"]),
          snippet: z.string(),
        }),
      ),
      run: async ({ query, limit }, { signal }) => [...(await sessions().search(query, limit, signal))],
    }),
    send: defineTool({
      description: "Send a message to another conversation (session), whose agent answers it there",
      approval: "required",
      effect: "egress",
      grantable: "input",
      idempotent: false,
      throws: ["session_not_found"],
      args: z.object({ session, text: z.string().min(1).max(50_000) }),
      returns: z.object({ session: z.string() }),
      run: async (input, context) => {
        const from = context.session ?? context.sessionKey;
        const sent = await sessions().send({ ...input, from });
        if (sent === undefined) throw noSuch();
        return sent;
      },
      formatApproval: (input) => ({
        title: `Say something in the session ${input.session}`,
        details: `${input.text}\n\nThere it does not count as your word.`,
      }),
    }),
  };
}
