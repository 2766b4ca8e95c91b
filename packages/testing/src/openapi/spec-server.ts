import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createSpecValidator, type SpecValidator, type Verdict, type WireRequest } from "./spec-validator.ts";

export interface SpecServer extends AsyncDisposable {
  readonly url: string;
  /** What it thought of every request, in order. */
  readonly verdicts: readonly (Verdict & { readonly request: WireRequest })[];
}

/** How a request that fits is answered; default: an empty object. */
export type Answer = (request: WireRequest, operation: string) => Response | Promise<Response>;

/** A server on loopback that takes what its document describes, and says what is wrong with anything else (422). */
export async function openSpecServer(
  document: unknown,
  answer: Answer = () => Response.json({}),
  validator: SpecValidator = createSpecValidator(document),
): Promise<SpecServer> {
  const verdicts: (Verdict & { readonly request: WireRequest })[] = [];
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Uint8Array);
      const headers = new Headers();
      for (let at = 0; at < incoming.rawHeaders.length; at += 2)
        headers.append(incoming.rawHeaders[at] ?? "", incoming.rawHeaders[at + 1] ?? "");
      const request: WireRequest = {
        method: incoming.method ?? "",
        target: incoming.url ?? "",
        headers,
        body: new Uint8Array(Buffer.concat(chunks)),
      };
      const verdict = await validator.check(request);
      verdicts.push({ ...verdict, request });
      const { operation, problems } = verdict;
      const response =
        operation === undefined
          ? Response.json({ problems }, { status: 404 })
          : problems.length > 0
            ? Response.json({ problems }, { status: 422 })
            : await answer(request, operation);
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      if (response.body !== null) for await (const chunk of response.body) outgoing.write(chunk);
      outgoing.end();
    })().catch((error: unknown) => outgoing.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    verdicts,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
