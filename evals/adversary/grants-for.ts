import { createHash } from "node:crypto";
import { createIdSource } from "@deputy/kit";
import { canonicalJson, type Grant } from "@deputy/policy";
import { createRedactor } from "@deputy/secrets";
import { type EventOf, readEvent } from "@deputy/protocol";
import { createFakeClock } from "@deputy/testing";
import { answerEvents } from "../../packages/agent/src/approvals/approval-answer.ts";
import type { Json } from "./suite.ts";

const clock = createFakeClock();
const ids = createIdSource({ clock });
const deps = { ids, redactor: createRedactor([]) };

export function hashOf(input: unknown): string {
  return createHash("sha256").update(canonicalJson(input)).digest("hex");
}

/** What the agent grants when the user approves a call "for this conversation". */
export function grantsFor(call: { readonly toolPath: string; readonly input: Json }): readonly Grant[] {
  return answerEvents(questionOf(call), { decision: "approved", scope: "session" }, "owner", deps).flatMap(
    (event) => (event.type === "grant.created" ? [{ bindings: event.data.bindings }] : []),
  );
}

function questionOf({
  toolPath,
  input,
}: {
  readonly toolPath: string;
  readonly input: Json;
}): EventOf<"approval.requested"> {
  const hash = hashOf(input);
  const data = {
    approvalId: ids.next("call"),
    toolPath,
    input,
    inputHash: hash,
    bindingHash: hash,
    preview: { title: toolPath },
  };
  const read = readEvent({
    id: ids.next("event"),
    stream: ids.next("session"),
    seq: 1,
    at: "2026-05-15T12:00:00.000Z",
    type: "approval.requested",
    data,
    payloadHash: hash,
    prev: hash,
  });
  if (read.kind !== "known" || read.event.type !== "approval.requested") throw new Error("No question.");
  return read.event;
}
