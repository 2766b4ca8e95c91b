import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import { createFakeClock } from "@deputy/testing";
import type { NetAudit } from "@deputy/net";
import { createGuardedFetch, type GuardedFetchDeps } from "@deputy/net/node";

export interface Got {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export type Answer = (got: Got, outgoing: ServerResponse) => void;

/** A server on this machine. */
export async function openServer(answer: Answer, host = "127.0.0.1", port = 0) {
  const requests: Got[] = [];
  // Only clients close idle connections: a busy one would use one that was just closed here.
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
    let body = "";
    incoming.on("data", (chunk: Buffer) => void (body += chunk.toString()));
    incoming.on("end", () => {
      const { method = "", url: path = "", headers } = incoming;
      const got = { method, path, headers, body };
      requests.push(got);
      answer(got, outgoing);
    });
  });
  server.listen(port, host);
  await once(server, "listening");
  const { port: bound } = server.address() as AddressInfo;
  return {
    port: bound,
    origin: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    requests,
    connections: async () =>
      await new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count))),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** A guarded fetch with a clock that stands still; names are looked up in `hosts`, one entry further each time. */
export function openFetch(
  options: Pick<GuardedFetchDeps, "allowPrivate" | "limits"> & {
    readonly hosts?: Readonly<Record<string, readonly (readonly string[])[]>>;
  } = {},
) {
  const { hosts = {}, ...deps } = options;
  const audited: Parameters<NetAudit>[0][] = [];
  const resolved: string[] = [];
  const clock = createFakeClock();
  const fetch = createGuardedFetch({
    ...deps,
    clock,
    audit: (request) => void audited.push(request),
    resolve: async (name) => {
      const lists = hosts[name] ?? [];
      const addresses = lists[Math.min(resolved.filter((one) => one === name).length, lists.length - 1)];
      resolved.push(name);
      if (addresses === undefined) throw Object.assign(new Error("not found"), { code: "ENOTFOUND" });
      return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    },
  });
  return { fetch, audited, resolved, clock };
}

/** Waits, turn by turn of the event loop, for something that must happen. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await setImmediate();
}
