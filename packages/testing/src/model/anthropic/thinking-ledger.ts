import { createHash } from "node:crypto";
import { type Json, objectsIn } from "../fake/fake-wire.ts";
import { blocksOf } from "./anthropic-rules.ts";

/** The thinking a service has signed: what comes back must be that, after the prompt it was made for. */
export interface ThinkingLedger {
  /** A thinking block for an answer to this request; `hidden` gives a redacted one. */
  issue(body: Json, text: string, hidden: boolean): Json;
  /** The answer's calls, which the thinking must come back with. */
  noteCalls(calls: readonly string[], thinking: readonly Json[]): void;
  findProblems(body: Json): Iterable<string>;
}

/** With characters that a careless round trip would change. */
const ODD = 'é "\\ \u2028 +/== 😀';

export function createThinkingLedger(): ThinkingLedger {
  const promptOf = new Map<string, string>();
  const thinkingOf = new Map<string, readonly string[]>();
  let count = 0;

  return {
    issue(body, text, hidden) {
      count += 1;
      const block: Json = hidden
        ? { type: "redacted_thinking", data: `${ODD}${count}` }
        : { type: "thinking", thinking: text, signature: `sig_${count} ${ODD}` };
      promptOf.set(JSON.stringify(block), fingerprint(body, objectsIn(body["messages"]).length));
      return block;
    },
    noteCalls(calls, thinking) {
      for (const id of calls) thinkingOf.set(id, thinking.map((block) => JSON.stringify(block)));
    },
    *findProblems(body) {
      const messages = objectsIn(body["messages"]);
      for (const [at, message] of messages.entries()) {
        const blocks = blocksOf(message);
        const thinking = blocks.filter(({ type }) => String(type).endsWith("thinking"));
        for (const block of thinking) yield* checkBlock(block, body, at);
        const wanted = blocks.flatMap(({ type, id }) => (type === "tool_use" ? [String(id)] : []));
        // Only the calls that are being worked on: earlier thinking may be left out.
        const isOpen = at >= messages.findLastIndex((entry) => blocksOf(entry).every((b) => b["type"] === "text"));
        const missing = wanted.flatMap((id) => thinkingOf.get(id) ?? []);
        if (isOpen && missing.some((text) => !thinking.some((block) => JSON.stringify(block) === text)))
          yield `messages.${at}: Expected \`thinking\` or \`redacted_thinking\`, but found \`tool_use\``;
      }
    },
  };

  function* checkBlock(block: Json, body: Json, at: number): Iterable<string> {
    const prompt = promptOf.get(JSON.stringify(block));
    const invalid = `messages.${at}: Invalid \`signature\` in \`thinking\` block.`;
    if (prompt === undefined) yield invalid;
    else if (prompt !== fingerprint(body, at)) yield `${invalid} The block is bound to a different conversation.`;
  }
}

/** Of system prompt, tools and the messages before; where the cache is marked does not matter. */
function fingerprint(body: Json, messages: number): string {
  const parts = [body["system"] ?? null, body["tools"] ?? null, objectsIn(body["messages"]).slice(0, messages)];
  const text = JSON.stringify(parts, (key, value: unknown) => (key === "cache_control" ? undefined : value));
  return createHash("sha256").update(text).digest("hex");
}
