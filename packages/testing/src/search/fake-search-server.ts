import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface SearchRequest {
  readonly method: string;
  readonly path: string;
  readonly parameters: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
}

/** What a provider answers: a status, and a body that is JSON unless it is a text. */
export interface SearchAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** A page that a fake knows. */
export interface KnownPage {
  readonly title: string;
  readonly url: string;
  readonly text: string;
}

/** A search provider on this machine: as strict as the real one. */
export interface FakeSearch extends AsyncDisposable {
  readonly origin: string;
  readonly requests: readonly SearchRequest[];
  /** Replaces the next answer. */
  answerNext(answer: SearchAnswer): void;
}

export async function openSearchServer(
  answer: (request: SearchRequest) => SearchAnswer,
): Promise<FakeSearch> {
  const requests: SearchRequest[] = [];
  const forced: SearchAnswer[] = [];
  // Only clients close idle connections: a busy one would use one that was just closed here.
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
    const { pathname: path, searchParams: parameters } = new URL(incoming.url ?? "/", "http://fake");
    const request = { method: incoming.method ?? "", path, parameters, headers: incoming.headers };
    requests.push(request);
    const { status, body } = forced.shift() ?? answer(request);
    const isText = typeof body === "string";
    outgoing.writeHead(status, { "content-type": isText ? "text/html" : "application/json" });
    outgoing.end(isText ? body : JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answerNext: (next) => void forced.push(next),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** The pages that have one of the words. */
export function pagesFor(pages: readonly KnownPage[], query: string): readonly KnownPage[] {
  const words = query.toLowerCase().split(/\s+/);
  return pages.filter(({ title, text }) =>
    words.some((word) => `${title} ${text}`.toLowerCase().includes(word)),
  );
}
