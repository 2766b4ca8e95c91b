import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** Stands between a program and a service, and is told of everything that either says to the other. */
export interface CountingProxy extends AsyncDisposable {
  readonly origin: string;
}

/**
 * `pass` is told of every piece, before it is handed on and after. What it drops is not handed on. What is said over
 * WebSockets passes here, too, where the service gives their address by the name that it was called by itself.
 */
export async function openCountingProxy(
  target: string,
  pass: (moment: "before" | "after") => "goes on" | "is dropped",
): Promise<CountingProxy> {
  const { port } = new URL(target);
  const sockets = new Set<Socket>();
  const hand = (from: Socket, to: Socket): void =>
    void from.on("data", (bytes: Buffer) => {
      if (pass("before") === "is dropped") return;
      to.write(bytes);
      pass("after");
    });
  const server = createServer((near) => {
    const far = connect(Number(port), "127.0.0.1");
    const end = (): void => {
      for (const socket of [near, far]) {
        sockets.delete(socket);
        socket.destroy();
      }
    };
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", end).on("close", end);
    }
    hand(near, far);
    hand(far, near);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    origin: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
