// An MCP server over stdio: a shop's orders. Its state is in the file that SHOP_STATE names.
import { readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

interface Order {
  readonly id: string;
  readonly item: string;
  readonly cents: number;
  readonly orderedAt: string;
  status: "open" | "delivered" | "cancelled";
}

interface Request {
  readonly id?: string | number;
  readonly method: string;
  readonly params?: {
    readonly protocolVersion?: string;
    readonly name?: string;
    readonly arguments?: { readonly order_id?: string };
  };
}

const file = process.env["SHOP_STATE"] ?? "";
const read = (): Order[] => JSON.parse(readFileSync(file, "utf8")) as Order[];

const order = {
  type: "object",
  properties: {
    id: { type: "string" },
    item: { type: "string" },
    cents: { type: "integer", description: "Price in cents of a euro" },
    orderedAt: { type: "string", format: "date-time" },
    status: { enum: ["open", "delivered", "cancelled"] },
  },
  required: ["id", "item", "cents", "orderedAt", "status"],
};
const tools = [
  {
    name: "list_orders",
    description: "All orders of the customer, newest first",
    inputSchema: { type: "object", properties: {} },
    outputSchema: {
      type: "object",
      properties: { orders: { type: "array", items: order } },
      required: ["orders"],
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: "cancel_order",
    description: "Cancels an order that is still open",
    inputSchema: { type: "object", properties: { order_id: { type: "string" } }, required: ["order_id"] },
    outputSchema: order,
    annotations: { destructiveHint: true },
  },
];

function call(name: string | undefined, id: string | undefined): object {
  const orders = read();
  const result = (value: object, isError = false): object => ({
    content: [{ type: "text", text: JSON.stringify(value) }],
    ...(isError ? { isError } : { structuredContent: value }),
  });
  if (name === "list_orders") return result({ orders });
  const found = orders.find((one) => one.id === id);
  if (found?.status !== "open") return result({ message: `Order ${id} cannot be cancelled` }, true);
  found.status = "cancelled";
  writeFileSync(file, JSON.stringify(orders));
  return result(found);
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line) as Request;
  if (id === undefined) continue;
  const result =
    method === "initialize"
      ? {
          protocolVersion: params?.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: "shop", version: "1" },
        }
      : method === "tools/list"
        ? { tools }
        : method === "tools/call"
          ? call(params?.name, params?.arguments?.order_id)
          : {};
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
}
