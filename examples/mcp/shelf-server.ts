// A small MCP server over stdio, without any package: books on a shelf. Listing reads, lending asks you first.
import { createInterface } from "node:readline";

interface Request {
  readonly id?: string | number;
  readonly method: string;
  readonly params?: {
    readonly protocolVersion?: string;
    readonly name?: string;
    readonly arguments?: Arguments;
  };
}
interface Arguments {
  readonly title?: string;
  readonly to?: string;
}

const books = new Map<string, string | null>([
  ["Emma", null],
  ["Dracula", "Mina"],
]);

const tools = [
  {
    name: "list_books",
    description: "Lists the books, and who has borrowed them",
    inputSchema: { type: "object", properties: {} },
    outputSchema: {
      type: "object",
      properties: {
        books: {
          type: "array",
          items: {
            type: "object",
            properties: { title: { type: "string" }, lentTo: { type: ["string", "null"] } },
            required: ["title", "lentTo"],
          },
        },
      },
      required: ["books"],
    },
  },
  {
    name: "lend_book",
    description: "Lends a book to somebody",
    inputSchema: {
      type: "object",
      properties: { title: { type: "string" }, to: { type: "string" } },
      required: ["title", "to"],
      additionalProperties: false,
    },
  },
];

function call(name: string | undefined, { title = "", to = "" }: Arguments = {}): object {
  if (name === "list_books") {
    const listed = { books: [...books].map(([book, lentTo]) => ({ title: book, lentTo })) };
    return { content: [{ type: "text", text: JSON.stringify(listed) }], structuredContent: listed };
  }
  const says = (text: string, isError: boolean): object => ({ content: [{ type: "text", text }], isError });
  if (!books.has(title)) return says(`There is no book ${title}`, true);
  books.set(title, to);
  return says(`${to} has ${title} now`, false);
}

function answer({ method, params = {} }: Request): object {
  switch (method) {
    case "initialize":
      return {
        result: {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: "shelf", version: "1.0.0" },
        },
      };
    case "tools/list":
      return { result: { tools } };
    case "tools/call":
      return { result: call(params.name, params.arguments) };
    default:
      return { error: { code: -32_601, message: "There is no such method" } };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as Request;
  if (request.id === undefined) continue;
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: request.id, ...answer(request) })}\n`);
}
