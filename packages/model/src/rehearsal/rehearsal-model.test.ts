import { describeModel } from "@deputy/testing";
import { expect, test } from "vitest";
import { createRehearsalModel, type ModelEvent, type ModelMessage } from "../index.ts";

describeModel("the rehearsal model", () => createRehearsalModel({ provider: "rehearsal", model: "tour" }));

const RUN_CODE = [{ name: "run_code", description: "", inputSchema: {} }];

async function ask(messages: ModelMessage[], signal = new AbortController().signal): Promise<ModelEvent[]> {
  const model = createRehearsalModel({ provider: "rehearsal", model: "tour" });
  return await Array.fromAsync(
    model.stream({ system: "", messages, tools: RUN_CODE, maxOutputTokens: 100 }, signal),
  );
}

const textOf = (events: ModelEvent[]): string =>
  events.map((event) => (event.kind === "text" ? event.text : "")).join("");

test("[M3] runs fenced TypeScript exactly as written", async () => {
  const code = 'const odd = "\\u2028 \\"quoted\\"";\nreturn odd;';
  const events = await ask([{ role: "user", text: `Please:\n\`\`\`ts\n${code}\n\`\`\`` }]);
  const call = events.find((event) => event.kind === "tool_call");
  expect(call).toMatchObject({ name: "run_code", inputJson: JSON.stringify({ code }) });
  expect(events.at(-1)).toEqual({ kind: "stop", reason: "tool_calls" });
});

test("[M4] says honestly that no model is connected", async () => {
  const events = await ask([{ role: "user", text: "Book me a flight" }]);
  expect(textOf(events)).toContain("no language model is connected");
  expect(textOf(events)).toContain("Close all issues older than 90 days");
  expect(textOf(events)).toContain("DEPUTY_MODEL");
  expect(events.some((event) => event.kind === "tool_call")).toBe(false);
  expect(events.at(-1)).toEqual({ kind: "stop", reason: "end" });
});

test("[M4] what tasks report beside a request, or while it is carried out, does not take its place", async () => {
  const request: ModelMessage = { role: "user", text: "Close all issues older than 90 days" };
  const note: ModelMessage = {
    role: "user",
    text: "[Not written by the user; a note of Deputy's:] You have 3 subscribers.",
  };
  const alone = await ask([request]);
  expect(textOf(alone)).not.toContain("cannot understand");
  expect(textOf(await ask([request, note]))).toBe(textOf(alone));
  expect(textOf(await ask([note, note, request]))).toBe(textOf(alone));
  const results: ModelMessage = {
    role: "tool",
    results: [{ callId: "1", text: "Result: 42", isError: false }],
  };
  expect(textOf(await ask([results, note]))).toBe(textOf(await ask([results])));
});

test.each([
  [false, "ran to its end"],
  [true, "did not finish"],
])("[M5] reports a program's outcome (isError: %s)", async (isError, words) => {
  const events = await ask([{ role: "tool", results: [{ callId: "1", text: "Result: 42", isError }] }]);
  expect(textOf(events)).toContain(words);
  expect(textOf(events)).toContain("Result: 42");
});

test("[M10] answers a heartbeat with its reminders, runs nothing in them, and says nothing else", async () => {
  const list = "- Tea: It is ready\n- Run: ```ts\nreturn 1;\n```";
  const due = `[Deputy's heartbeat; no person has written this.] Reminders that were set are due:\n\n${list}\n\nDo what they are for.`;
  const told = await ask([{ role: "user", text: due }]);
  expect(textOf(told)).toBe("Tea: It is ready\nRun: ```ts\nreturn 1;\n```");
  expect(told.some((event) => event.kind === "tool_call")).toBe(false);
  const look = "[Deputy's heartbeat; no person has written this.] It is noon. Look after the mail.";
  expect(textOf(await ask([{ role: "user", text: look }]))).toBe("HEARTBEAT_OK");
});

test("[M6] an aborted signal ends it at once", async () => {
  await expect(ask([{ role: "user", text: "hi" }], AbortSignal.abort(new Error("stop")))).rejects.toThrow(
    "stop",
  );
});
