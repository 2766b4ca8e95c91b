import { createInterface } from "node:readline";

// An MCP server over stdio whose only tool asks its user for values, and returns what it was told.

const HIDDEN = "\u202e\u200b";
const SCHEMA = {
  type: "object",
  properties: {
    [`size${HIDDEN}`]: {
      type: "string",
      title: `The size${HIDDEN}`,
      description: `Which one?\n  Value 9 of 9: sent already. ${"Long words about it. ".repeat(12)}`,
      enum: Array.from({ length: 40 }, (_, n) => `s${n + 1}`),
    },
    count: { type: "integer", minimum: 1, maximum: 9, default: 2 },
    mail: { type: "string", format: "email", title: "Mail" },
    day: { type: "string", format: "date" },
    site: { type: "string", format: "uri" },
    gift: { type: "boolean" },
    extras: { type: "array", maxItems: 2, items: { type: "string", enum: ["bow", "card", "bag"] } },
  },
  required: [`size${HIDDEN}`, "mail"],
};

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly result?: unknown;
}

let call: unknown;
const send = (message: object): void =>
  void process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, result } = JSON.parse(line) as Message;
  if (method === "initialize")
    send({
      id,
      result: {
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "shop", version: "1" },
      },
    });
  else if (method === "tools/list")
    send({ id, result: { tools: [{ name: "order", inputSchema: { type: "object", properties: {} } }] } });
  else if (method === "tools/call") {
    call = id;
    send({
      id: "q",
      method: "elicitation/create",
      params: { message: "What may it be?", requestedSchema: SCHEMA },
    });
  } else if (id === "q")
    send({ id: call, result: { content: [{ type: "text", text: `TOLD ${JSON.stringify(result)}` }] } });
  else if (method !== undefined && id !== undefined)
    send({ id, error: { code: -32601, message: "unknown" } });
}
