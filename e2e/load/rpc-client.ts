import { once } from "node:events";
import { WebSocket } from "ws";
import { TOKEN } from "../run-deputy.ts";

/** A WebSocket that has signed in. */
export interface RpcClient {
  /** Undefined when the connection ended before the answer. */
  call(method: string, params?: object): Promise<RpcAnswer | undefined>;
  /** Hears every push. */
  onPush(hear: (event: string, data: Record<string, unknown>) => void): void;
  /** Ends without a word. */
  cut(): Promise<void>;
}

export interface RpcAnswer {
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string; readonly data: { readonly code: string } };
}

export async function openRpcClient(url: string): Promise<RpcClient> {
  const ws = new WebSocket(new URL("/ws", url.replace("http", "ws")), { perMessageDeflate: false });
  const waiting = new Map<number, (answer: RpcAnswer | undefined) => void>();
  const listeners: ((event: string, data: Record<string, unknown>) => void)[] = [];
  const closed = new Promise<void>((resolve) => ws.once("close", () => resolve()));
  void closed.then(() => waiting.forEach((settle) => settle(undefined)));
  ws.on("error", () => undefined);
  ws.on("message", (bytes: Buffer) => {
    const frame = JSON.parse(bytes.toString()) as RpcAnswer & { id?: number; event?: string; data?: object };
    if (frame.event !== undefined)
      for (const hear of listeners) hear(frame.event, frame.data as Record<string, unknown>);
    else if (frame.id !== undefined) waiting.get(frame.id)?.(frame);
  });
  await once(ws, "open");
  ws.send(JSON.stringify({ type: "auth", token: TOKEN }));
  await once(ws, "message");
  let calls = 0;
  return {
    call: (method, params = {}) =>
      new Promise((resolve) => {
        const id = ++calls;
        if (ws.readyState !== WebSocket.OPEN) return resolve(undefined);
        waiting.set(id, (answer) => {
          waiting.delete(id);
          resolve(answer);
        });
        ws.send(JSON.stringify({ id, method, params }));
      }),
    onPush: (hear) => void listeners.push(hear),
    async cut() {
      ws.terminate();
      await closed;
    },
  };
}
