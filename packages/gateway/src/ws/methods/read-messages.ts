import type { SessionReader, TranscriptLine } from "@deputy/agent/sessions";
import type { SessionId } from "@deputy/kit";
import type { ChatMessage } from "@deputy/protocol/rpc";

/** Characters of one answer: a client that wants more reads the events. */
const MOST_CHARS = 1_000_000;

/** The last messages of a session, in order: as many as asked for, and fewer when they are very long. */
export async function readMessages(
  sessions: Pick<SessionReader, "transcript">,
  session: SessionId,
  limit: number,
  signal: AbortSignal,
): Promise<{ messages: ChatMessage[]; hasMore: boolean }> {
  const messages: ChatMessage[] = [];
  let chars = 0;
  let hasMore = false;
  for await (const line of sessions.transcript(session, signal)) {
    const message = messageOf(line);
    if (message === undefined) continue;
    messages.push(message);
    chars += message.content.length;
    // The very last one is never left out, however long it is.
    while (messages.length > limit || (chars > MOST_CHARS && messages.length > 1)) {
      chars -= messages.shift()?.content.length ?? 0;
      hasMore = true;
    }
  }
  return { messages, hasMore };
}

function messageOf(line: TranscriptLine): ChatMessage | undefined {
  if (!("role" in line)) return undefined;
  const { role, content, timestamp, seq } = line;
  const said = { role, content, timestamp, seq };
  if (line.role === "user" || line.role === "assistant") return said;
  const { toolName, callId } = line;
  const error = line.role === "tool_result" ? line.error : undefined;
  return { ...said, toolName, callId, ...(error !== undefined && { error }) };
}
