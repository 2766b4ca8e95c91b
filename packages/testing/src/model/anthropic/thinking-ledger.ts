import { createHash } from "node:crypto";
import { asText, type Json, objectsIn } from "../fake/fake-wire.ts";
import { blocksOf } from "./anthropic-rules.ts";

/** The thinking a service has signed: it must come back unchanged, in its place, after the same prompt. */
export interface ThinkingLedger {
  /** A thinking block; `hidden` gives a redacted one. */
  issue(text: string, hidden: boolean): Json;
  /** The blocks of the answer to a request. */
  note(body: Json, answer: readonly Json[]): void;
  findProblems(body: Json): Iterable<string>;
}

/** With characters that a careless round trip would change. */
const ODD = 'é "\\ \u2028 +/== 😀';

const isThinking = ({ type }: Json): boolean => type === "thinking" || type === "redacted_thinking";

export function createThinkingLedger(): ThinkingLedger {
  const placeOf = new Map<string, string>();
  const thinkingOf = new Map<string, readonly string[]>();
  let count = 0;

  function* checkBlocks(blocks: readonly Json[], body: Json, at: number): Iterable<string> {
    for (const [index, block] of blocks.entries()) {
      if (!isThinking(block)) continue;
      const place = placeOf.get(JSON.stringify(block));
      const invalid = `messages.${at}.content.${index}: Invalid \`signature\` in \`thinking\` block.`;
      if (place === undefined) yield invalid;
      else if (place !== fingerprint(body, at, blocks.slice(0, index)))
        yield `${invalid} The block is bound to a different conversation.`;
    }
  }

  return {
    issue(text, hidden) {
      count += 1;
      if (hidden) return { type: "redacted_thinking", data: `${ODD}${count}` };
      return { type: "thinking", thinking: text, signature: `sig_${count} ${ODD}` };
    },
    note(body, answer) {
      const thinking = answer.filter(isThinking).map((block) => JSON.stringify(block));
      for (const [index, block] of answer.entries()) {
        const place = fingerprint(body, objectsIn(body["messages"]).length, answer.slice(0, index));
        if (isThinking(block)) placeOf.set(JSON.stringify(block), place);
        if (block["type"] === "tool_use") thinkingOf.set(asText(block["id"]), thinking);
      }
    },
    *findProblems(body) {
      const messages = objectsIn(body["messages"]);
      // Calls in progress must come with their thinking; earlier thinking may be left out.
      const turn = messages.findLastIndex((message) =>
        blocksOf(message).every(({ type }) => type === "text"),
      );
      for (const [at, message] of messages.entries()) {
        const blocks = blocksOf(message);
        yield* checkBlocks(blocks, body, at);
        const back = new Set(blocks.map((block) => JSON.stringify(block)));
        const wanted = blocks.flatMap(({ id }) => thinkingOf.get(asText(id)) ?? []);
        if (at > turn && wanted.some((block) => !back.has(block)))
          yield `messages.${at}: Expected \`thinking\` or \`redacted_thinking\`, but found \`tool_use\``;
      }
    },
  };
}

/** A hash of system prompt, tools and history; the cache marks do not matter. */
function fingerprint(body: Json, messages: number, before: readonly Json[]): string {
  const said = [objectsIn(body["messages"]).slice(0, messages), before];
  const parts = [body["system"] ?? null, body["tools"] ?? null, ...said];
  const text = JSON.stringify(parts, (key, value: unknown) => (key === "cache_control" ? undefined : value));
  return createHash("sha256").update(text).digest("hex");
}
