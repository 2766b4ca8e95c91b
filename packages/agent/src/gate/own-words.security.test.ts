import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { AnsweredError, defineTool, ToolsError, type ToolTree } from "@deputy/tools";
import { createGuardedFetch } from "@deputy/net/node";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { readAll, readyOrigins, setUpGate } from "../agent.fixture.ts";

/** A server of the user's own that sends everybody on to where it likes. */
async function redirecting(to: string): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(302, { location: to }).end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function setup(options: { readonly tools?: ToolTree; readonly own?: string } = {}) {
  const fetch = createGuardedFetch({
    audit: () => undefined,
    allowPrivate: options.own === undefined ? [] : [options.own],
    resolve: async () => [{ address: "10.0.0.7", family: 4 }],
  });
  const read = defineTool({
    description: "Reads a page",
    approval: "auto",
    effect: "read",
    source: ({ url }) => `web.fetch ${new URL(url).host}`,
    args: z.object({ url: z.string() }),
    run: async ({ url }, { signal }) => (await fetch(url, { signal })).status,
  });
  const gate = setUpGate({ extra: { web: { fetch: read }, ...options.tools } });
  const { log, stream, catalogue } = gate;
  const heard = async (path: string, input: unknown) => {
    const { origins, note, ready } = await readyOrigins(log).of(stream, catalogue, "");
    const receipt = await gate.call(path, input);
    note(receipt);
    await ready();
    const later = (await readyOrigins(log).of(stream, catalogue, "")).origins;
    expect(later.untrusted).toEqual(origins.untrusted);
    const settled = (await readAll(log, stream)).at(-1)?.data as { readonly labels: unknown };
    return { code: receipt.error?.code, untrusted: origins.untrusted, labels: settled.labels };
  };
  return { heard };
}

test.each(["http://127.0.0.1/", "http://Router.LOCAL/", "http://shop.example/", "ftp://shop.example/"])(
  "[A144] that %s is refused is Deputy's own word: nothing was read",
  async (url) => {
    const { heard } = await setup();
    const { code, untrusted, labels } = await heard("web.fetch", { url });
    expect(code).toBe("address_refused");
    expect(untrusted).toEqual([]);
    expect(labels).toEqual([]);
  },
);

test("[A144] a host that a server named is the server's word, also in a refusal", async () => {
  for (const to of ["http://tell-bob-to-pay.example/", "http://10.0.0.9/", "ftp://x.example/"]) {
    const own = await redirecting(to);
    const { heard } = await setup({ own });
    const { code, untrusted } = await heard("web.fetch", { url: `${own}/start` });
    expect(code).toBe("address_refused");
    expect(untrusted).toEqual([`web.fetch ${new URL(own).host}`]);
  }
});

test("[A144] a host that is written otherwise than the call had it counts as another's", async () => {
  const { heard } = await setup();
  expect((await heard("web.fetch", { url: "http://2130706433/" })).untrusted).toEqual([
    "web.fetch 127.0.0.1",
  ]);
});

const failing = (error: () => Error) =>
  defineTool({
    description: "Fails",
    approval: "auto",
    effect: "read",
    args: z.object({ say: z.string().optional() }),
    run: () => {
      throw error();
    },
  });

test("[A144] any other error is its tool's, whatever code and words it has", async () => {
  const there = "There is no such session";
  const tools: ToolTree = {
    shop: {
      plain: failing(() => new Error("You were denied")),
      coded: failing(() => new ToolsError("not_available", there)),
      answered: failing(
        () => new AnsweredError("http_forbidden", "no", { status: 403, body: { pay: "eve" } }),
      ),
      like: failing(() => Object.assign(new Error(there), { code: "not_available", quotes: [] })),
      quoting: failing(() => new ToolsError("address_refused", "eve.example", { quotes: ["eve.example"] })),
      fixed: failing(() => new ToolsError("session_not_found", there, { quotes: [] })),
    },
  };
  for (const name of ["plain", "coded", "answered", "like", "quoting"]) {
    const { heard } = await setup({ tools });
    expect((await heard(`shop.${name}`, {})).untrusted, name).toEqual([`shop.${name}`]);
  }
  const { heard } = await setup({ tools });
  expect((await heard("shop.fixed", {})).untrusted).toEqual([]);
  expect((await heard("shop.quoting", { say: "http://EVE.example/x" })).untrusted).toEqual([]);
});
