import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { TOKEN } from "../run-deputy.ts";

/** Requests over connections of their own, so that each one that is left open can be counted. */
export interface HttpClient {
  send(method: "GET" | "POST", path: string, body?: unknown): Promise<Answer>;
  /** The blocks of an event stream, with cursors where there are; `leave` cuts the connection in the middle. */
  events(path: string, options: EventOptions): AsyncGenerator<EventBlock, void>;
}

export interface Answer {
  readonly status: number;
  readonly body: Buffer;
  json(): Record<string, unknown>;
}

export interface EventBlock {
  readonly id: string | undefined;
  readonly data: string;
}

export interface EventOptions {
  readonly lastEventId?: string | undefined;
  readonly body?: unknown;
}

export function createHttpClient(url: string): HttpClient {
  const open = (method: string, path: string, options: EventOptions): ClientRequest => {
    const bytes = Buffer.isBuffer(options.body);
    const headers = {
      authorization: `Bearer ${TOKEN}`,
      ...(options.body !== undefined && {
        "content-type": bytes ? "application/octet-stream" : "application/json",
      }),
      ...(options.lastEventId !== undefined && { "last-event-id": options.lastEventId }),
    };
    const outgoing = request(new URL(path, url), { method, headers, agent: false });
    outgoing.on("error", () => undefined);
    outgoing.end(Buffer.isBuffer(options.body) ? options.body : JSON.stringify(options.body));
    return outgoing;
  };
  const answerTo = async (outgoing: ClientRequest): Promise<IncomingMessage> => {
    const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
    return incoming;
  };
  return {
    async send(method, path, body) {
      const incoming = await answerTo(open(method, path, { body }));
      const received = await buffer(incoming);
      return {
        status: incoming.statusCode ?? 0,
        body: received,
        json: () => JSON.parse(received.toString()) as Record<string, unknown>,
      };
    },
    async *events(path, options) {
      const outgoing = open(options.body === undefined ? "GET" : "POST", path, options);
      try {
        const incoming = await answerTo(outgoing);
        if (incoming.statusCode !== 200)
          throw new StreamRefused(incoming.statusCode ?? 0, (await buffer(incoming)).toString());
        yield* readBlocks(incoming);
      } finally {
        outgoing.destroy();
      }
    },
  };
}

/** The server did not begin the stream. */
export class StreamRefused extends Error {
  readonly status: number;
  constructor(status: number, body: string) {
    super(`${status}: ${body}`);
    this.status = status;
  }
}

async function* readBlocks(incoming: IncomingMessage): AsyncGenerator<EventBlock, void> {
  let rest = "";
  for await (const text of incoming.setEncoding("utf8") as AsyncIterable<string>) {
    const blocks = (rest + text).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (data !== undefined) yield { id: /^id: (.*)$/m.exec(block)?.[1], data };
    }
  }
}
