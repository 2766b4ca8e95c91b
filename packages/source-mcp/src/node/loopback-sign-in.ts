import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { abortReason } from "@deputy/kit";
import { ToolsError } from "@deputy/tools";

/** A listener on this machine, for one address only, to which a browser returns after signing in. */
export interface LoopbackSignIn extends AsyncDisposable {
  readonly redirectUrl: string;
  /** Remembers the expected state, and tells the user where to go. */
  send(url: URL, state: string): void;
  /** The answer that came back, if the user was sent to sign in; undefined otherwise. */
  answered(): Promise<URLSearchParams> | undefined;
}

const PATH = "/callback";
const DONE = "You can close this page: Deputy goes on where you began.";

/**
 * Listens on 127.0.0.1. A request without the expected state, or on another path, is refused and changes
 * nothing. Waits for an answer until the signal aborts.
 */
export async function openLoopbackSignIn(
  show: (url: URL) => void,
  signal: AbortSignal,
  port = 0,
): Promise<LoopbackSignIn> {
  let expected: { readonly state: string; readonly resolve: (answer: URLSearchParams) => void } | undefined;
  let answer: Promise<URLSearchParams> | undefined;
  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? "", `http://127.0.0.1:${address.port}`);
    const isHere = request.headers.host === `127.0.0.1:${address.port}`;
    const isExpected =
      expected !== undefined && url?.searchParams.get("state") === expected.state && url.pathname === PATH;
    const headers = {
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-store",
      connection: "close",
    };
    if (request.method !== "GET" || !isHere || url === null || !isExpected) {
      response.writeHead(400, headers).end("This is not the answer that Deputy waits for.");
      return;
    }
    response.writeHead(200, headers).end(DONE);
    expected?.resolve(url.searchParams);
    expected = undefined;
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) =>
      reject(new ToolsError("mcp_unauthorized", `Nothing can listen on 127.0.0.1:${port}`, { cause })),
    );
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    redirectUrl: `http://127.0.0.1:${address.port}${PATH}`,
    send(url, state) {
      answer = new Promise((resolve, reject) => {
        expected = { state, resolve };
        const stop = (): void => reject(abortReason(signal));
        if (signal.aborted) stop();
        else signal.addEventListener("abort", stop, { once: true });
      });
      answer.catch(() => undefined);
      show(url);
    },
    answered() {
      const given = answer;
      answer = undefined;
      return given;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
