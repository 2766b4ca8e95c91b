import { createServer, type ServerResponse } from "node:http";

// A plain node:http server: the same bytes to everybody, at the same pace. GET /events listens; POST
// /talk?events=100&everyMs=40 sends them, with the body as the frame.
const listeners = new Set<ServerResponse>();

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://raw");
  if (pathname === "/events") {
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", connection: "close" });
    response.flushHeaders();
    listeners.add(response);
    response.on("close", () => listeners.delete(response));
    return;
  }
  let frame = "";
  request.setEncoding("utf8").on("data", (text: string) => (frame += text));
  request.on("end", () => {
    response.end();
    let left = Number(searchParams.get("events"));
    const timer = setInterval(
      () => {
        left -= 1;
        for (const listener of listeners) listener.write(frame);
        if (left > 0) return;
        clearInterval(timer);
        for (const listener of listeners) listener.end();
      },
      Number(searchParams.get("everyMs")),
    );
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
