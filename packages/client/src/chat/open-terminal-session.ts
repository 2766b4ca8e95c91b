import type { SessionEntry, SessionService } from "@deputy/agent/sessions";
import { ClientError } from "../client-error.ts";
import { findSession } from "./find-session.ts";
import { TERMINAL_CHANNEL, terminalKey } from "./terminal-key.ts";

export interface TerminalSessionOptions {
  /** An id, a key, or a name, which is short for `terminal--NAME`. */
  readonly session?: string;
  /** Begin a new session with that key. */
  readonly new?: true;
  /** The session's agent. The session is the agent's own unless another one is named. */
  readonly agent?: string;
}

export interface TerminalSession {
  readonly kind: "resumed" | "started";
  readonly session: SessionEntry;
}

/**
 * The session to continue: the newest of that name, or a new one. Throws `unknown_stream` for an unknown id,
 * or an unknown key of another channel; `usage` for a session that cannot be used from here.
 */
export async function openTerminalSession(
  sessions: Pick<SessionService, "find" | "open" | "start">,
  options: TerminalSessionOptions & { readonly defaultAgent: string },
  signal: AbortSignal,
): Promise<TerminalSession> {
  const { agent, session: name = agent ?? "default" } = options;
  const key = terminalKey(name);
  const request = { key, agentId: agent ?? options.defaultAgent, channel: TERMINAL_CHANNEL };
  const isOurs = key.startsWith(`${TERMINAL_CHANNEL}--`);
  if (options.new === true) {
    if (isOurs) return { kind: "started", session: await sessions.start(request) };
    throw new ClientError("usage", "Only a session of the terminal can be begun here.", {
      hint: "--new goes with `--session NAME`, or alone.",
    });
  }
  const session = isOurs ? await sessions.find(key) : await findSession(sessions, key);
  if (session === undefined) return await sessions.open(request, signal);
  if (agent !== undefined && session.agentId !== agent) {
    throw new ClientError("usage", `${key} is a session with ${session.agentId}.`, {
      hint: "Name another --session, or leave --agent out.",
    });
  }
  if (!session.isTask) return { kind: "resumed", session };
  throw new ClientError("usage", `${session.id} belongs to a task.`, {
    hint: `\`deputy sessions fork ${session.id}\` makes one that you can go on with.`,
  });
}
