import { type SessionIndex, untrustedIn } from "@deputy/agent/sessions";
import type { DocumentSource, DocumentText, ForeignPart } from "@deputy/memory";
import { type EventLog, readEvent } from "@deputy/protocol";

/** What was said in conversations. Results of tools are not remembered, and neither is what was recalled. */
export function createSessionSource(deps: {
  readonly log: Pick<EventLog, "read">;
  readonly sessions: Pick<SessionIndex, "newestFirst">;
}): DocumentSource {
  return {
    async list(signal) {
      signal.throwIfAborted();
      const conversations = (await deps.sessions.newestFirst()).filter(({ isTask }) => !isTask);
      const documents = conversations.map(({ id, agentId, lastAt, turns }) => ({
        key: `session ${id}`,
        scope: agentId,
        kind: "session" as const,
        path: id,
        revision: `${lastAt} ${turns}`,
        read: (until: AbortSignal) => readConversation(deps.log, id, until),
      }));
      return { documents, problems: [] };
    },
  };
}

/**
 * One line for each message, under a heading for each day. What others wrote is theirs, and so is what the assistant
 * said after it had read something of others: it may repeat it.
 */
export async function readConversation(
  log: Pick<EventLog, "read">,
  session: Parameters<EventLog["read"]>[0],
  signal: AbortSignal,
): Promise<DocumentText> {
  const others = new Set<string>();
  const foreign: ForeignPart[] = [];
  let text = "";
  let day = "";
  const say = (at: string, who: string, said: string, sources: readonly string[]): void => {
    if (said.trim() === "") return;
    if (at.slice(0, 10) !== day) text += `# ${(day = at.slice(0, 10))}\n`;
    const from = text.length;
    text += `${who}: ${said.replaceAll(/\s*\n\s*/g, "\n  ").trim()}\n`;
    for (const source of sources) foreign.push({ from, to: text.length, source });
  };
  for await (const stored of log.read(session)) {
    signal.throwIfAborted();
    const read = readEvent(stored);
    if (read.kind !== "known") continue;
    const { event } = read;
    for (const source of untrustedIn(event)) others.add(source);
    switch (event.type) {
      case "user.message": {
        const { text: said, trust, channel, sender } = event.data;
        const source = `${channel} ${sender}`;
        say(event.at, trust === "user" ? "User" : sender, said, trust === "user" ? [] : [source]);
        break;
      }
      case "assistant.message":
        say(event.at, "Deputy", event.data.text, [...others]);
        break;
      default:
    }
  }
  return { path: "conversation", text, foreign };
}
