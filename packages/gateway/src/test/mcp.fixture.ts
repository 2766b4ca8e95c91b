import type { CallId } from "@deputy/kit";
import type { ApprovalPreview, Task } from "@deputy/protocol";
import {
  type CallToolResult,
  Client,
  type ElicitRequestFormParams,
  type ElicitResult,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { createCatalogue, defineTool } from "@deputy/tools";
import { onTestFinished, vi } from "vitest";
import { z } from "zod";
import type { GatewayDeps } from "../gateway.ts";
import { startTestGateway, TOKEN } from "./gateway.fixture.ts";

export const ERAS = [
  { era: "newer", mode: { pin: "2026-07-28" } },
  { era: "older", mode: "legacy" },
] as const;
export type Era = (typeof ERAS)[number];

export type Say = (
  form: ElicitRequestFormParams,
  signal: AbortSignal,
) => ElicitResult | Promise<ElicitResult>;

const send = defineTool({
  description: "Send a mail",
  approval: "required",
  args: z.object({ to: z.string() }),
  run: () => "sent",
});

/** MCP's own client of a gateway, over tasks whose programs do what a test says. */
export async function setupMcp(overrides: Partial<GatewayDeps> = {}) {
  const catalogue = createCatalogue([{ source: "test", tree: { mail: { send } } }]);
  const gateway = await startTestGateway({ programTools: async () => catalogue, ...overrides });
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  const { log, ids, url, tasks } = gateway;

  const connect = async ({ mode }: Era, say?: Say) => {
    const client = new Client(
      { name: "test", version: "1" },
      { capabilities: say === undefined ? {} : { elicitation: {} }, versionNegotiation: { mode } },
    );
    if (say !== undefined)
      client.setRequestHandler("elicitation/create", async ({ params }, { mcpReq }) =>
        say(params as ElicitRequestFormParams, mcpReq.signal),
      );
    const requestInit = { headers: { authorization: `Bearer ${TOKEN}` } };
    const transport = new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit });
    await client.connect(transport);
    onTestFinished(() => client.close());
    const call = (
      name: string,
      args: Record<string, unknown>,
      signal?: AbortSignal,
    ): Promise<CallToolResult> => client.callTool({ name, arguments: args }, { ...(signal && { signal }) });
    return { client, transport, call };
  };
  /** The latest task, once there are so many. */
  const task = (count = 1): Promise<Task> =>
    vi.waitFor(async () => {
      const all = await tasks.list();
      const [last] = all;
      if (last === undefined || all.length < count) throw new Error("There is no such task yet");
      return last;
    });
  /** Asks like the gate in a task. */
  const ask = async ({ stream }: Task, preview: ApprovalPreview, input: unknown = {}): Promise<CallId> => {
    const approvalId = ids.next("call");
    const data = { approvalId, toolPath: "mail.send", input, preview, bindingHash: "0".repeat(64) };
    await log.append(stream, [{ type: "approval.requested", data }]);
    return approvalId;
  };
  const end = async ({ stream, id: taskId }: Task): Promise<void> =>
    void (await log.append(stream, [{ type: "task.completed", data: { taskId, outcome: "succeeded" } }]));
  const statusOf = async ({ id }: Task) => (await tasks.get(id))?.status;
  return { ...gateway, connect, task, ask, end, statusOf };
}

export const textOf = ({ content }: CallToolResult): string =>
  content.map((part) => (part.type === "text" ? part.text : part.type)).join("\n");

export const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};
export const ACCEPT = { accept: "application/json, text/event-stream" };
