import { createHash } from "node:crypto";
import { createIdSource, createSystemClock, type SessionId } from "@deputy/kit";
import type { JournalEntry, NewEvent } from "@deputy/protocol";
import { openSqliteStore } from "@deputy/store/sqlite";

/** How many messages there are before a summary, by default. */
const BETWEEN_SUMMARIES = 50;
const KEPT = 10;
/** Exchanges per append. */
const BATCH = 25;

/** Writes sessions of this many messages into a home, as a daemon would: half questions, half answers. */
export async function fillSessions(
  directory: string,
  sizes: readonly number[],
): Promise<readonly SessionId[]> {
  const clock = createSystemClock();
  const ids = createIdSource({ clock });
  await using store = await openSqliteStore({ directory, clock, ids });
  const sessions: SessionId[] = [];
  for (const size of sizes) {
    const stream = ids.next("session");
    sessions.push(stream);
    const data = { agentId: "main", key: `bench:${stream}`, channel: "bench" };
    let seq = 1;
    await store.log.append(stream, [{ type: "session.started", data }]);
    for (let n = 0; n < size / 2; n += BATCH) {
      const events: NewEvent[] = [];
      const journal: JournalEntry[] = [];
      for (let at = n; at < Math.min(n + BATCH, size / 2); at++) exchange(at, seq + events.length);
      await store.log.append(stream, events, { durability: "relaxed", journal });
      seq += events.length;

      function exchange(at: number, before: number): void {
        const turnId = ids.next("turn");
        const cellId = ids.next("cell");
        const callId = ids.next("call");
        const text = `Question ${at}: what became of the letter to office ${at} in street ${at * 7}?`;
        const code = `return await tools.mail.read({ n: ${at} });`;
        const resultJson = JSON.stringify({ from: `office${at}@example.org`, text: WORDS.repeat(3), n: at });
        const settled = { index: 0, callId, toolPath: "mail.read", input: { n: at }, inputHash: "x" };
        const outcome = { status: "succeeded", resultJson, atMs: 0, durationMs: 1 };
        const usage = { inputTokens: 10, outputTokens: 5, modelCalls: 1 };
        journal.push({ cellId, kind: "settled", bytes: encode({ ...settled, ...outcome }) });
        events.push(
          {
            type: "user.message",
            turnId,
            data: { text, attachments: [], channel: "bench", sender: "me", trust: "user" },
          },
          { type: "turn.started", turnId, data: { agentId: "main", model: "rehearsal/rehearsal" } },
          {
            type: "cell.submitted",
            turnId,
            data: {
              cellId,
              language: "typescript",
              code,
              sha256: createHash("sha256").update(code).digest("hex"),
              providerCallId: `p${at}`,
              answer: { usage, stop: "tool_calls", throughSeq: before + 2 },
            },
          },
          { type: "cell.checked", turnId, data: { cellId, diagnostics: [], attempt: 1 } },
          {
            type: "call.settled",
            turnId,
            data: {
              callId,
              cellId,
              toolPath: "mail.read",
              status: "succeeded",
              preview: resultJson.slice(0, 200),
              attachments: [],
              labels: [{ trust: "untrusted", source: "mail.read" }],
              durationMs: 1,
            },
          },
          {
            type: "cell.completed",
            turnId,
            data: { cellId, result: { n: at }, logs: [], operations: [] },
          },
          {
            type: "assistant.message",
            turnId,
            data: {
              itemId: ids.next("item"),
              text: `Answer ${at}. ${WORDS}`,
              answer: { usage, stop: "end", throughSeq: before + 6 },
            },
          },
        );
        if ((at + 1) % (BETWEEN_SUMMARIES / 2) === 0) {
          const throughSeq = Math.max(1, before + 8 - KEPT * 8);
          const labels = [{ trust: "untrusted" as const, source: "mail.read" }];
          const summary = { fromSeq: 1, throughSeq, summary: WORDS, archive: "log", labels };
          events.push({ type: "session.compacted", turnId, data: summary });
        }
        events.push({ type: "turn.completed", turnId, data: { usage } });
      }
    }
  }
  return sessions;
}

const WORDS =
  "The letter came on Monday and says that the invoice of last month is still open, with kind regards. ";

function encode(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}
