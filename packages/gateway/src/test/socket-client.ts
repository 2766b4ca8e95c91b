import { once } from "node:events";
import type { Push } from "@deputy/protocol";
import type { RpcError, RpcMethodName, RpcResult } from "@deputy/protocol/rpc";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { TOKEN } from "./gateway.fixture.ts";

/** A client of `/ws`, as one would write it. */
export interface SocketClient {
  readonly ws: WebSocket;
  /** Every frame that came, in order. */
  readonly frames: Record<string, unknown>[];
  /** The code and reason of the close. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  call<Name extends RpcMethodName>(method: Name, params?: object): Promise<RpcResult<Name>>;
  /** Returns the error of the answer. */
  failure(method: string, params?: unknown): Promise<RpcError>;
  send(frame: unknown): void;
  pushes(): readonly Push[];
  /** Resolves with the first matching push, past or future. */
  push<Kind extends Push["event"]>(
    event: Kind,
    fits?: (data: Extract<Push, { event: Kind }>["data"]) => boolean,
  ): Promise<Extract<Push, { event: Kind }>["data"]>;
  /** Resolves once a matching frame has come. */
  until(fits: (frame: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>;
}

export function connect(url: string, headers: Readonly<Record<string, string>> = {}): SocketClient {
  const ws = new WebSocket(`${url.replace("http", "ws")}/ws`, { headers });
  const frames: Record<string, unknown>[] = [];
  const looking = new Set<() => void>();
  let calls = 0;
  ws.on("error", () => undefined);
  ws.on("message", (data: Buffer) => {
    frames.push(JSON.parse(data.toString()) as Record<string, unknown>);
    for (const look of looking) look();
  });
  onTestFinished(() => ws.terminate());
  const closed = once(ws, "close").then(([code, reason]) => ({ code: Number(code), reason: String(reason) }));
  const until: SocketClient["until"] = (fits) =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = frames.find(fits);
        if (found === undefined) return;
        looking.delete(look);
        resolve(found);
      };
      looking.add(look);
      void closed.then(({ code, reason }) => reject(new Error(`closed with ${code}: ${reason}`)));
      look();
    });
  const send = (frame: unknown): void => ws.send(typeof frame === "string" ? frame : JSON.stringify(frame));
  const ask = async (method: string, params: unknown): Promise<Record<string, unknown>> => {
    const id = `call ${++calls}`;
    send({ id, method, params });
    return await until((frame) => frame["id"] === id);
  };
  const pushes = (): readonly Push[] =>
    frames.filter((frame) => "event" in frame) as unknown as readonly Push[];
  return {
    ws,
    frames,
    closed,
    send,
    until,
    pushes,
    async call(method, params = {}) {
      const frame = await ask(method, params);
      if ("error" in frame) throw new Error(JSON.stringify(frame["error"]));
      return frame["result"] as never;
    },
    async failure(method, params = {}) {
      const frame = await ask(method, params);
      if (!("error" in frame)) throw new Error(`${method} was answered`);
      return frame["error"] as RpcError;
    },
    async push(event, fits = () => true) {
      const frame = await until((one) => one["event"] === event && fits(one["data"] as never));
      return frame["data"] as never;
    },
  };
}

/** The same, signed in. */
export async function signIn(
  url: string,
  token = TOKEN,
  headers: Readonly<Record<string, string>> = {},
): Promise<SocketClient> {
  const client = connect(url, headers);
  await once(client.ws, "open");
  client.send({ type: "auth", token });
  await client.until((frame) => frame["type"] === "auth" && frame["ok"] === true);
  return client;
}
