import { createIdSource, createSystemClock, untilStopped } from "@deputy/kit";
import { type NewEvent, noteMessage } from "@deputy/protocol";
import { createFakeClock, createMemoryEventLog } from "@deputy/testing";
import { expect, test, vi } from "vitest";
import type { ChatApp } from "../chat-app.ts";
import type { Door } from "../door.ts";
import { wholeCard } from "./find-item.ts";
import { keepConversation } from "./keep-conversation.ts";
import type { OpenPost } from "./poster.ts";
import { itemIds } from "./session-items.ts";

const usage = { inputTokens: 1, outputTokens: 1, modelCalls: 1 };

/** What is durable of a conversation, as it is told. */
interface Noted {
  readonly item?: string;
  readonly part?: number;
  readonly ref?: string;
  readonly through?: number;
}

/** A conversation over a real log. What is posted waits until the test lets it go. */
async function setup({
  open = [],
  through = 1,
  note = async () => undefined,
}: {
  open?: readonly OpenPost[];
  through?: number;
  note?: (method: string, params: Noted) => Promise<void>;
} = {}) {
  const ids = createIdSource({ clock: createSystemClock() });
  const log = createMemoryEventLog({ clock: createSystemClock(), ids });
  const session = ids.next("session");
  const turnId = ids.next("turn");
  const data = { key: "test--17", agentId: "main", channel: "test" };
  await log.append(session, [{ type: "session.started", data }]);
  const shown: string[] = [];
  const told: string[] = [];
  const posting: string[] = [];
  /** Questions of other sessions, and how they were answered. */
  const waiting: { id: string; toolPath: string; input: unknown; preview: object }[] = [];
  const answers = new Map<string, { decision: "approved" | "denied"; by: string; reason?: string }>();
  let wake = Promise.withResolvers<void>();
  let gate = Promise.resolve();
  let failure: Error | undefined;
  const textOf = (message: { runs: readonly { text: string }[] }) =>
    message.runs.map(({ text }) => text).join("");
  const app: ChatApp = {
    name: "test",
    can: { maxChars: 500, measure: (runs) => textOf({ runs }).length, deduplicates: false, editEveryMs: 0 },
    receive: async () => undefined,
    identify: async () => "test",
    async post(_place, message) {
      posting.push(textOf(message));
      await gate;
      return String(shown.push(textOf(message)) - 1);
    },
    async edit(_place, ref, message) {
      shown[Number(ref)] = textOf(message);
    },
    typing: async () => undefined,
  };
  const door: Pick<Door, "call" | "follow"> = {
    async call(method, params) {
      if (method === "channels.shown" && "through" in params) told.push(`through ${String(params.through)}`);
      if (method.startsWith("channels.")) await note(method, params as Noted);
      if (method === "exec.pending")
        return { approvals: waiting.filter(({ id }) => !answers.has(id)) } as never;
      if (method === "exec.answer")
        return { answer: answers.get((params as { approvalId: string }).approvalId) } as never;
      return { ok: true, events: [], hasMore: false } as never;
    },
    async *follow(stream, after, signal) {
      let seq = after;
      yield { kind: "head", seq: (await log.head(stream))?.seq ?? 0 };
      while (!signal.aborted) {
        const waits = wake.promise;
        for await (const event of log.read(stream, { after: seq })) {
          yield { kind: "event", event };
          seq = event.seq;
        }
        if (failure !== undefined) throw failure;
        await untilStopped(waits, signal).catch(() => undefined);
      }
    },
  };
  const clock = createFakeClock();
  const stop = new AbortController();
  const deps = { app, door: door as Door, clock, session, place: "17", through, open };
  const conversation = keepConversation(deps, stop.signal);
  const append = async (...events: readonly NewEvent[]) => {
    await log.append(session, events);
    wake.resolve();
    wake = Promise.withResolvers();
  };
  return {
    ids,
    waiting,
    answers,
    conversation,
    append,
    shown,
    posting,
    told,
    clock,
    said: (text: string): NewEvent => ({
      type: "assistant.message",
      turnId,
      data: { itemId: ids.next("item"), text },
    }),
    settled: (files: number): NewEvent => ({
      type: "call.settled",
      turnId,
      data: {
        callId: ids.next("call"),
        toolPath: "shots.take",
        status: "succeeded",
        preview: "",
        labels: [],
        durationMs: 1,
        attachments: Array.from({ length: files }, (_, nth) => ({
          blobId: "0".repeat(64),
          mimeType: "text/plain",
          name: `${nth}.txt`,
          bytes: 1,
        })),
      },
    }),
    ended: { type: "turn.completed", turnId, data: { usage } } satisfies NewEvent,
    renamed: { type: "session.updated", data: { by: "owner", title: "Other" } } satisfies NewEvent,
    hold: () => {
      const held = Promise.withResolvers<void>();
      gate = held.promise;
      return held.resolve;
    },
    breakOff: (error: Error) => {
      failure = error;
      wake.resolve();
    },
  };
}

test("[CH20] an answer that is being posted when its turn ends is shown as it is, and once", async () => {
  const { append, said, ended, shown, posting, told, hold } = await setup();
  const letGo = hold();
  await append(said("Done."));
  await vi.waitFor(() => expect(posting).toEqual(["Done."]));
  await append(ended);
  letGo();
  await vi.waitFor(() => expect(told.at(-1)).toBe("through 3"));
  expect(shown).toEqual(["Done."]);
});

test("[CH20] what an earlier process had begun and nobody finished says so when the turn ends", async () => {
  const { append, said, ended, shown, told } = await setup({
    open: [{ item: "answer itm_old", part: 0, ref: "0" }],
  });
  shown.push("Do …");
  await append(said("Done."), ended);
  await vi.waitFor(() => expect(told.at(-1)).toBe("through 3"));
  expect(shown).toEqual(["(interrupted)", "Done."]);
});

test.each([
  ["an answer", 1],
  ["a call with three files", 3],
] as const)(
  "[CH20] %s is shown once, whichever of the notes about it is the last before a crash",
  async (what, posts) => {
    for (let crashAt = 0; ; crashAt++) {
      const open = new Map<string, OpenPost>();
      let through = 1;
      let notes = 0;
      const note = async (method: string, params: Noted): Promise<void> => {
        if (notes++ === crashAt) throw new Error("killed");
        const { item = "", part = 0, ref } = params;
        through = Math.max(through, params.through ?? 0);
        if (method === "channels.shown") open.delete(`${item}/${part}`);
        else open.set(`${item}/${part}`, { item, part, ...(ref !== undefined && { ref }) });
      };
      const before = await setup({ note });
      const events = what === "an answer" ? [before.said("Done.")] : [before.settled(3)];
      await before.append(...events, before.ended);
      const isKilled = await Promise.race([
        before.conversation.ended.then(
          () => false,
          () => true,
        ),
        vi.waitFor(() => expect(before.told).toContain("through 3")).then(() => false),
      ]);
      const after = await setup({ open: [...open.values()], through });
      after.shown.push(...before.shown);
      await after.append(...events, after.ended);
      await vi.waitFor(() => expect(through >= 3 || after.told.includes("through 3")).toBe(true));
      const shown = after.shown.filter((text) => !text.startsWith("Deputy was interrupted"));
      expect(shown.length).toBeLessThanOrEqual(posts);
      if (!isKilled) break;
    }
  },
);

test("[CH21] a conversation at rest is let go, with what had nothing to show", async () => {
  const { append, said, ended, renamed, told, clock, conversation } = await setup();
  await append(said("Done."), ended);
  await vi.waitFor(() => expect(told.at(-1)).toBe("through 3"));
  await append(renamed);
  await vi.waitFor(async () => {
    await clock.advance(30_000);
    expect(told.at(-1)).toBe("through 4");
  });
  await conversation.ended;
});

test("[CH21] one that cannot be followed any more says why", async () => {
  const { conversation, breakOff } = await setup();
  breakOff(new Error("the stream is gone"));
  await expect(conversation.ended).rejects.toThrow("the stream is gone");
});

test("[CH22] a task's question is a card in the chat, and says who answered it elsewhere; one that is answered by then is not shown", async () => {
  const { append, shown, conversation, waiting, answers, ids } = await setup();
  const [first, late] = [ids.next("call"), ids.next("call")];
  const preview = { title: "Send a mail", reasons: ["It asks"] };
  waiting.push({ id: first, toolPath: "mail.send", input: {}, preview });
  const told = (asks: typeof first): NewEvent[] => [
    {
      type: "outbox.queued",
      data: { channel: "session", conversation: "s", messageRef: `asks ${asks}`, asks },
    },
    { type: "user.message", data: noteMessage({ from: "the task “Look”", text: "It needs your approval" }) },
  ];
  await append(...told(first), ...told(late));
  await vi.waitFor(() => expect(shown).toHaveLength(1));
  expect(shown[0]).toContain("the task “Look” asks:");
  expect(shown[0]).toContain("Send a mail");
  expect(conversation.asks(first)).toBe(true);
  expect(conversation.questionAt("0")).toBe(first);
  conversation.settle();
  answers.set(first, { decision: "denied", by: "owner", reason: "not now" });
  conversation.settle();
  conversation.settle();
  await vi.waitFor(() => expect(shown[0]).toContain("Denied by owner: not now"));
  await append({ type: "user.message", data: noteMessage({ from: "heartbeat", text: "All is well." }) });
  await vi.waitFor(() => expect(shown[1]).toContain("All is well."));
  expect(shown).toHaveLength(2);
});

test("[CH59] whoever wants to see all of a question can answer there, too; both messages say how it was answered, also how much of it", async () => {
  const { append, shown, conversation, ids } = await setup();
  const turnId = ids.next("turn");
  const calls = [1, 2, 3].map((issueNumber) => ({
    callId: ids.next("call"),
    toolPath: "github.issues.close",
    input: { issueNumber, note: String(issueNumber).repeat(4_000) },
    preview: { title: "Close" },
  }));
  const approvalId = ids.next("plan");
  const preview = { title: "A plan" };
  const asked = { toolPath: "plan", input: { calls }, preview };
  await append({
    type: "approval.requested",
    turnId,
    data: { approvalId, bindingHash: "0".repeat(64), ...asked },
  });
  await vi.waitFor(() => expect(shown.length).toBeGreaterThan(0));
  const card = shown.length;
  conversation.show(itemIds.details(approvalId), wholeCard({ id: approvalId, ...asked } as never));
  await vi.waitFor(() => expect(shown.length).toBeGreaterThan(card + 20));
  const before = shown.slice(0, card);
  // Pressed below all of it: that message is not the card.
  conversation.isShownAt(approvalId, String(shown.length - 1));
  expect(conversation.questionAt(String(shown.length - 1))).toBe(approvalId);
  const data = { approvalId, decision: "approved", by: "owner", scope: "plan" } as const;
  const some = calls.slice(0, 2).map(({ callId }) => callId);
  await append({ type: "approval.resolved", turnId, data: { ...data, calls: some } });
  await vi.waitFor(() => expect(shown.at(-1)).toContain("2 of 3 approved by owner"));
  const after = shown.slice(0, card);
  expect(before.join("")).toContain("Approve? ");
  expect(after.join("")).toContain("2 of 3 approved by owner");
  expect(shown.join("")).not.toContain("It did arrive");
  expect(shown.filter((text) => text.includes("Approve? "))).toEqual([]);
});

test("[CH23] a conversation that is nobody's any more shows nothing more", async () => {
  const { append, shown, conversation, said } = await setup();
  await append(said("one"));
  await vi.waitFor(() => expect(shown).toEqual(["one"]));
  conversation.stop();
  await conversation.ended;
  await append(said("two"));
  expect(shown).toEqual(["one"]);
});
