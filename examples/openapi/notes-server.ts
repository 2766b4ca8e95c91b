// A small API in memory, described by notes.yaml: `NOTES_TOKEN=… npx node examples/openapi/notes-server.ts [PORT]`.
import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";

interface Note {
  readonly id: number;
  readonly text: string;
  readonly tags: readonly string[];
}

const PAGE = 2;
let nextId = 1;
let notes: readonly Note[] = [];

function add(content: string, tags: readonly string[] = []): Note {
  const note = { id: nextId++, text: content, tags };
  notes = [...notes, note];
  return note;
}

for (const content of [
  "Water the plants",
  "Old: call Ada",
  "Buy tea",
  "Old: renew the passport",
  "Mend the lamp",
])
  add(content, content.startsWith("Old") ? ["old"] : []);

interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

async function answer(request: IncomingMessage): Promise<Answer> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
  if (request.headers.authorization !== `Bearer ${process.env["NOTES_TOKEN"] ?? ""}`)
    return { status: 401, body: { message: "Who are you?" } };
  if (pathname === "/notes" && request.method === "GET") {
    const wanted = searchParams.get("tag")?.split(",") ?? [];
    const found = notes.filter(({ tags }) => wanted.every((tag) => tags.includes(tag)));
    const start = (Number(searchParams.get("page") ?? 1) - 1) * PAGE;
    return { status: 200, body: found.slice(start, start + PAGE) };
  }
  if (pathname === "/notes" && request.method === "POST") {
    const { text: content, tags } = JSON.parse(await text(request)) as Partial<Note>;
    return content === undefined ? { status: 422 } : { status: 201, body: add(content, tags) };
  }
  const id = Number(/^\/notes\/(\d+)$/.exec(pathname)?.[1]);
  if (request.method !== "DELETE" || !notes.some((note) => note.id === id))
    return { status: 404, body: { message: "There is no such note" } };
  notes = notes.filter((note) => note.id !== id);
  return { status: 204 };
}

const server = createServer((request, response) => {
  void answer(request).then(({ status, body }) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  });
});
server.listen(Number(process.argv[2] ?? 4010), "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null)
    process.stdout.write(`http://127.0.0.1:${address.port}\n`);
});
