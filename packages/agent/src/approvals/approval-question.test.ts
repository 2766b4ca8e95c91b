import { createIdSource } from "@deputy/kit";
import { createOriginIndex, createRowNames } from "@deputy/policy/provenance";
import { createRedactor } from "@deputy/secrets";
import { createFakeClock } from "@deputy/testing";
import { createCatalogue, defineTool } from "@deputy/tools";
import { expect, test } from "vitest";
import { z } from "zod";
import { sha256 } from "../agent.fixture.ts";
import { callBinding, toolHashOf } from "./approval-binding.ts";
import { createPutQuestion } from "./approval-question.ts";

const SECRET = "correct-horse-battery-staple";
const send = defineTool({
  description: "Sends a mail",
  approval: "required",
  args: z.object({ to: z.string() }),
  formatApproval: ({ to }) => ({ title: `Send to ${to}` }),
  run: () => null,
});

function setup(approvalTtlMs?: number) {
  const clock = createFakeClock();
  const tool = createCatalogue([{ source: "test", tree: { send } }]).get("send");
  if (tool === undefined) throw new Error("No such tool");
  const put = createPutQuestion({ redactor: createRedactor([SECRET]), sha256, clock, approvalTtlMs });
  const ids = createIdSource({ clock });
  const [callId, session] = [ids.next("call"), ids.next("session")];
  const call = { callId, session, programHash: "p", toolPath: "send", inputHash: "i", tool };
  const ask = (to: string, decision: Partial<Parameters<typeof put>[1]> = {}) =>
    put({ ...call, input: { kind: "ok", value: { to }, json: { to } } }, { reasons: [], ...decision });
  return { clock, call, put, ask };
}

test("[A21] a question is about one call, shows its input, and says what it is bound to", async () => {
  const { call, ask } = setup();
  const toolHash = toolHashOf(sha256, call.tool);
  expect(await ask("ann", { reasons: ["why"] })).toStrictEqual({
    approvalId: call.callId,
    toolPath: "send",
    input: { to: "ann" },
    preview: { title: "Send to ann", reasons: ["why"], effect: "write" },
    bindingHash: callBinding(sha256, { ...call, toolHash }),
    inputHash: "i",
    toolHash,
  });
});

test("[A180] it says how far the call reaches, and what an id stands for that a tool has shown", async () => {
  const { call, put } = setup();
  const rows = createRowNames();
  for (const _ of rows.addSteps("send.list", [{ id: "31", title: "Login loops" }], {}));
  const origins = { ...createOriginIndex().origins(), rowOf: rows.find };
  const previewFor = async (id: string) => {
    const json = { id };
    const input = { kind: "ok" as const, value: json, json };
    return (await put({ ...call, toolPath: "send.close", input, origins }, { reasons: [] })).preview;
  };
  expect(await previewFor("31")).toMatchObject({
    effect: "write",
    rows: [{ path: "id", text: "Login loops", source: "send.list" }],
  });
  expect(await previewFor("32")).not.toHaveProperty("rows");
});

test("[A6] secrets are redacted from its input, its preview and its reasons", async () => {
  expect(JSON.stringify(await setup().ask(SECRET, { reasons: [`for ${SECRET}`] }))).not.toContain(SECRET);
});

test("[A92] it says what can be granted, and that a yes is meant for the session where it asks once", async () => {
  const { ask } = setup();
  expect(await ask("ann", { grantable: "input", askOnce: true })).toMatchObject({
    grantable: "input",
    scope: "session",
  });
  expect(await ask("ann", { grantable: "tool" })).not.toHaveProperty("scope");
});

test("[A91] where questions have an end, it says when", async () => {
  const { ask, clock } = setup(60_000);
  expect((await ask("ann")).expiresAt).toBe(new Date(clock.now() + 60_000).toISOString());
});
