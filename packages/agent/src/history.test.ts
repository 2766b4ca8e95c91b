import type { EventData, NewEvent, StoredEvent } from "@deputy/protocol";
import { expect, test } from "vitest";
import { setUpGate, sha256, readAll } from "./agent.fixture.ts";
import { buildHistory } from "./history.ts";

async function write(events: (setup: ReturnType<typeof setUpGate>) => NewEvent[]): Promise<StoredEvent[]> {
  const setup = setUpGate();
  await setup.log.append(setup.stream, events(setup));
  return await readAll(setup.log, setup.stream);
}

const said = (text: string): NewEvent => ({
  type: "user.message",
  data: { text, attachments: [], channel: "test", sender: "me", trust: "user" },
});
const submitted = (cellId: EventData<"cell.submitted">["cellId"], providerCallId: string): NewEvent => ({
  type: "cell.submitted",
  data: { cellId, language: "typescript", code: "return 1;", sha256: sha256("return 1;"), providerCallId },
});

test("[A19] a program, its calls and its end become a call and a paired result", async () => {
  const events = await write(({ cellId, ids }) => [
    said("hi"),
    { type: "assistant.message", data: { itemId: ids.next("item"), text: "On it." } },
    submitted(cellId, "p1"),
    { type: "cell.completed", data: { cellId, result: { n: 1 }, logs: ["seen"], operations: [] } },
    { type: "assistant.message", data: { itemId: ids.next("item"), text: "Done." } },
  ]);
  expect(buildHistory(events)).toEqual([
    { role: "user", text: "hi" },
    {
      role: "assistant",
      parts: [
        { kind: "text", text: "On it." },
        { kind: "tool_call", id: "p1", name: "run_code", inputJson: '{"code":"return 1;"}' },
      ],
    },
    { role: "tool", results: [{ callId: "p1", isError: false, text: 'Result: {"n":1}\nLog:\n  seen' }] },
    { role: "assistant", parts: [{ kind: "text", text: "Done." }] },
  ]);
});

test("[A19] a program that a crash cut off still has a result", async () => {
  const events = await write(({ cellId }) => [said("hi"), submitted(cellId, "p1"), said("again")]);
  expect(buildHistory(events).map((message) => message.role)).toEqual(["user", "assistant", "tool", "user"]);
});

test("[A19] a program the user ran is no part of the conversation with the model", async () => {
  const events = await write(({ cellId }) => {
    const data = { cellId, language: "typescript" as const, code: "return 1;", sha256: sha256("") };
    return [said("hi"), { type: "cell.submitted", data }];
  });
  expect(buildHistory(events)).toEqual([{ role: "user", text: "hi" }]);
});

test("[A19] reasoning keeps its opaque part, and events of newer versions are passed over", async () => {
  const events = await write(({ ids }) => [
    said("hi"),
    { type: "assistant.reasoning", data: { itemId: ids.next("item"), text: "hm", opaque: '{"sig":"é"}' } },
  ]);
  const future = { ...events[0], type: "from.the.future", data: { text: "x" } } as StoredEvent;
  expect(buildHistory([...events, future])).toEqual([
    { role: "user", text: "hi" },
    { role: "assistant", parts: [{ kind: "reasoning", text: "hm", opaque: '{"sig":"é"}' }] },
  ]);
});
