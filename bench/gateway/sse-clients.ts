import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { TOKEN } from "./server.ts";

/** Clients of an event stream that only count, so that they take little of the machine themselves. */
export interface SseClients {
  /** Resolves once each has received `mark` this often. */
  told(times: number): Promise<void>;
  close(): void;
}

export async function openSseClients(
  url: string,
  path: string,
  options: { readonly clients: number; readonly mark: string; readonly onTold?: () => void },
): Promise<SseClients> {
  const counts: { times: number }[] = [];
  let look = (): void => undefined;
  const count = (client: { times: number }) => {
    let tail = "";
    return (chunk: Buffer): void => {
      const text = tail + chunk.toString("latin1");
      let from = 0;
      for (let at = text.indexOf(options.mark); at >= 0; at = text.indexOf(options.mark, from)) {
        from = at + options.mark.length;
        client.times += 1;
        options.onTold?.();
      }
      tail = text.slice(Math.max(from, text.length - options.mark.length + 1));
      look();
    };
  };
  const sockets: Socket[] = [];
  // Not all at once: a full backlog is retried only after a second.
  while (sockets.length < options.clients) {
    const more = Array.from({ length: Math.min(100, options.clients - sockets.length) }, async () => {
      const socket = await openStream(url, path);
      const client = { times: 0 };
      counts.push(client);
      socket.on("data", count(client));
      return socket;
    });
    sockets.push(...(await Promise.all(more)));
  }
  return {
    told: (times) =>
      new Promise((resolve) => {
        look = () => {
          if (counts.every((client) => client.times >= times)) resolve();
        };
        look();
      }),
    close: () => sockets.forEach((socket) => socket.destroy()),
  };
}

/** Resolves with the socket once the answer has begun. */
export async function openStream(url: string, path: string): Promise<Socket> {
  const { host, hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`);
  await once(socket, "readable");
  return socket;
}
