import type { ModelRequest } from "@deputy/model";
import type { CallId } from "@deputy/kit";
import type { StoredEvent } from "@deputy/protocol";
import OpenAI from "openai";
import { onTestFinished } from "vitest";
import { startTestGateway, TOKEN } from "./gateway.fixture.ts";

/** OpenAI's own client of a gateway. */
export async function setupOpenAi() {
  const gateway = await startTestGateway();
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  const client = new OpenAI({ apiKey: TOKEN, baseURL: `${gateway.url}/v1` });
  /** The session that was used last, from its start. */
  const lastEvents = async (): Promise<StoredEvent[]> => {
    const [session] = await gateway.sessions.list({ limit: 1 });
    return session === undefined ? [] : await Array.fromAsync(gateway.log.read(session.id));
  };
  /** Asks like the gate in the running turn. */
  const ask = async (input: unknown): Promise<CallId> => {
    const { stream, turnId } = (await lastEvents()).findLast(({ type }) => type === "turn.started") ?? {};
    if (stream === undefined || turnId === undefined) throw new Error("No turn is going on");
    const approvalId = gateway.ids.next("call");
    const preview = { title: "Send a mail" };
    const data = { approvalId, toolPath: "mail.send", input, preview, bindingHash: "0".repeat(64) };
    await gateway.log.append(stream, [{ type: "approval.requested", turnId, data }]);
    return approvalId;
  };
  const sessionOf = (answer: object): string => {
    const { metadata } = answer as { metadata?: Record<string, string> };
    return metadata?.["session"] ?? "";
  };
  return { ...gateway, client, ask, sessionOf, lastEvents };
}

/** Each message as `role: text`. */
export function describeRequest(request: ModelRequest | undefined): readonly string[] {
  return (request?.messages ?? []).map((message) => {
    if (message.role === "user") return `user: ${message.text}`;
    if (message.role === "tool") return "tool";
    return `assistant: ${message.parts.map((part) => ("text" in part ? part.text : part.kind)).join("")}`;
  });
}
