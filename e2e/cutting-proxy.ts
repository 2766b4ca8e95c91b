import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** Stands between a browser and a daemon, and does to connections what bad networks do. */
export interface CuttingProxy extends AsyncDisposable {
  readonly url: string;
  /** Ends every connection at once, as a proxy with a time limit does. New ones are taken. */
  cut(): void;
  /**
   * Cuts as soon as a page sends something that has this in it: before the daemon hears it, or after. Resolves once it
   * has.
   */
  cutAt(words: string, when: "before" | "after"): Promise<void>;
  /** From now on nothing passes on the connections that are there, and nobody says so. New ones are fine. */
  stall(): void;
  /** Takes no connections until `open`. */
  close(): void;
  open(): void;
}

export async function openCuttingProxy(target: string): Promise<CuttingProxy> {
  const { port: targetPort } = new URL(target);
  const pairs = new Set<readonly [Socket, Socket]>();
  let isClosed = false;
  let trap: { readonly words: string; readonly when: "before" | "after"; spring(): void } | undefined;

  let own = "";
  /** The daemon knows only its own address; proxies put it into what they pass on. */
  const forTarget = (bytes: Buffer): Buffer =>
    bytes.includes(own)
      ? Buffer.from(bytes.toString("latin1").replaceAll(own, `127.0.0.1:${targetPort}`), "latin1")
      : bytes;

  const cut = (): void => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    pairs.clear();
  };
  const server = createServer((near) => {
    if (isClosed) {
      near.destroy();
      return;
    }
    const far = connect(Number(targetPort), "127.0.0.1");
    const pair = [near, far] as const;
    pairs.add(pair);
    const end = (): void => {
      pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    for (const socket of pair) socket.on("error", end).on("close", end);
    const unmask = frameReader();
    near.on("data", (received: Buffer) => {
      const bytes = forTarget(received);
      const sprung = trap !== undefined && unmask(bytes).includes(trap.words) ? trap : undefined;
      if (sprung === undefined) {
        far.write(bytes);
        return;
      }
      trap = undefined;
      if (sprung.when === "before") {
        cut();
        sprung.spring();
        return;
      }
      // It has arrived; no answer comes back.
      far.removeAllListeners("data");
      far.write(bytes, () => {
        far.end();
        near.destroy();
        cut();
        sprung.spring();
      });
    });
    far.on("data", (bytes: Buffer) => near.write(bytes));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  own = `127.0.0.1:${port}`;
  return {
    url: `http://127.0.0.1:${port}`,
    cut,
    cutAt: (words, when) =>
      new Promise((resolve) => {
        trap = { words, when, spring: resolve };
      }),
    stall() {
      for (const pair of pairs) {
        for (const socket of pair) socket.removeAllListeners("data").pause();
        pair[1].destroy();
      }
    },
    close() {
      isClosed = true;
      cut();
    },
    open() {
      isClosed = false;
    },
    async [Symbol.asyncDispose]() {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}

/** Reads what a browser sends over a WebSocket, as far as a test needs it: short frames, each in one piece. */
function frameReader(): (bytes: Buffer) => string {
  return (bytes) => {
    let text = "";
    for (let at = 0; at + 6 <= bytes.length;) {
      const short = (bytes[at + 1] ?? 0) & 0x7f;
      const head = short === 126 ? 4 : 2;
      const length = short === 126 ? bytes.readUInt16BE(at + 2) : short;
      const mask = bytes.subarray(at + head, at + head + 4);
      const body = bytes.subarray(at + head + 4, at + head + 4 + length);
      text += Buffer.from(body.map((byte, index) => byte ^ (mask[index % 4] ?? 0))).toString();
      at += head + 4 + length;
    }
    return text;
  };
}
