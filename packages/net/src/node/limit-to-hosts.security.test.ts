import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { limitToHosts } from "../limit-to-hosts.ts";
import { createGuardedFetch } from "./create-guarded-fetch.ts";

/** A server that answers `/`, and redirects `/to?URL` there. */
async function setup() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.headers.host ?? ""}${request.url ?? ""}`);
    const [, to] = (request.url ?? "").split("/to?");
    if (to === undefined) response.end("hello");
    else response.writeHead(302, { location: decodeURIComponent(to) }).end();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const audit: string[] = [];
  const note = (request: { readonly verdict: string; readonly host: string }) =>
    void audit.push(`${request.verdict} ${request.host}`);
  const here = `http://127.0.0.1:${port}`;
  const fetch = createGuardedFetch({ audit: note, allowPrivate: [here, `http://localhost:${port}`] });
  return {
    here,
    asked,
    audit,
    limited: (hosts: readonly string[]) => limitToHosts(fetch, hosts, note),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("[TN19] only hosts that were named are asked, and a refusal is audited", async () => {
  await using world = await setup();
  const refused = { code: "address_refused" };
  expect(await (await world.limited([world.here])(world.here)).text()).toBe("hello");
  for (const hosts of [
    [],
    ["example.org"],
    ["*.0.0.1"],
    ["27.0.0.1"],
    ["http://127.0.0.1:1"],
    ["https://127.0.0.1"],
  ])
    await expect(world.limited(hosts)(world.here), hosts.join()).rejects.toMatchObject(refused);
  expect(world.asked).toHaveLength(1);
  expect(world.audit).toHaveLength(7);
  expect(world.audit.filter((line) => line.startsWith("deny"))).toHaveLength(6);
  await expect(world.limited(["*.example.org"])("http://example.org.evil.test/")).rejects.toMatchObject(
    refused,
  );
  await expect(world.limited(["*.example.org"])("http://badexample.org/")).rejects.toMatchObject(refused);
});

test("[TN19] each redirect must lead to one of them, and a private address to one that was named as an origin", async () => {
  await using world = await setup();
  const to = (url: string): string => `${world.here}/to?${encodeURIComponent(url)}`;
  const limited = world.limited([world.here]);
  expect(await (await limited(to(`${world.here}/`))).text()).toBe("hello");
  await expect(limited(to("http://example.org/"))).rejects.toMatchObject({ code: "address_refused" });
  expect(world.audit.at(-1)).toBe("deny example.org");
  await expect(limited(to(to(world.here.replace("127.0.0.1", "localhost"))))).rejects.toMatchObject({
    code: "address_refused",
  });
  expect((await limited(to("http://example.org/"), { redirect: "manual" })).status).toBe(302);
  // A name alone opens no private network, whatever it resolves to.
  await expect(
    world.limited(["localhost"])(world.here.replace("127.0.0.1", "10.0.0.1")),
  ).rejects.toMatchObject({
    code: "address_refused",
  });
  await expect(limited(to(to(to(to(to(to(`${world.here}/`)))))))).rejects.toMatchObject({
    code: "address_refused",
  });
});
