import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { openFetch, openServer } from "@deputy/testing/net";

/** Never connected to. */
const PUBLIC = "1.1.1.1";
const hello = (_: unknown, outgoing: { end(text: string): unknown }): void => void outgoing.end("hello");

test.each(
  `http://127.0.0.1/ http://127.1/ http://0x7f000001/ http://017700000001/ http://2130706433/ http://[::1]/
http://[::ffff:127.0.0.1]/ http://[::ffff:7f00:1]/ http://[::127.0.0.1]/ http://0/ http://0.0.0.0/
http://169.254.169.254/latest/meta-data/ http://10.0.0.1/ http://172.16.5.4/ http://192.168.1.1/
http://100.64.0.1/ http://224.0.0.1/ http://[fc00::1]/ http://[fe80::1]/ http://[64:ff9b::7f00:1]/
http://[64:ff9b::a9fe:a9fe]/ http://[2002:7f00:1::]/ http://[2001:0:7f00:1::]/ http://localhost/
http://localhost./ http://a.localhost/ http://metadata.google.internal/ http://printer.local/
http://router/ ftp://example.org/ file:///etc/passwd data:text/plain,x http://example.org:22/
http://example.org:6667/ http://user@example.org/ http://:secret@example.org/`.split(/\s+/),
)("[TN1] GC41 refuses %s without resolving anything", async (url) => {
  const { fetch, resolved, audited } = openFetch();
  await expect(fetch(url)).rejects.toMatchObject({ code: "address_refused" });
  expect(resolved).toEqual([]);
  expect(audited).toMatchObject([{ verdict: "deny", requestBytes: 0, responseBytes: 0 }]);
});

test.each([
  ["127.0.0.1"],
  ["::1"],
  ["::ffff:127.0.0.1"],
  ["10.1.2.3"],
  ["169.254.169.254"],
  ["64:ff9b::a00:1"],
  ["fe80::1%eth0"],
  // One bad address refuses all: chance would decide which of them answers.
  [PUBLIC, "127.0.0.1"],
  ["2606:4700::1", "fd00::1"],
])("[TN2] GC41 refuses a public name that leads to %s, without connecting", async (...addresses) => {
  await using server = await openServer(hello);
  const { fetch } = openFetch({ hosts: { "rebind.example.org": [addresses] } });
  await expect(fetch(`http://rebind.example.org:${server.port}/`)).rejects.toMatchObject({
    code: "address_refused",
  });
  expect(await server.connections()).toBe(0);
});

test("[TN2] GC41 does not resolve a name again after the check: connects to the checked address, under its name", async () => {
  await using first = await openServer(hello, "127.0.0.1");
  await using second = await openServer(hello, "127.0.0.2", first.port);
  const origin = `http://flip.example.org:${first.port}`;
  const { fetch, resolved } = openFetch({
    allowPrivate: [origin],
    hosts: { "flip.example.org": [["127.0.0.1"], ["127.0.0.2"]] },
  });
  expect(await (await fetch(`${origin}/x?y#z`)).text()).toBe("hello");
  expect(resolved).toEqual(["flip.example.org"]);
  expect(second.requests).toEqual([]);
  expect(first.requests).toMatchObject([
    { path: "/x?y", headers: { host: `flip.example.org:${first.port}`, connection: "close" } },
  ]);
});

test("[TN2] GC41 resolves and checks each redirect again", async () => {
  await using server = await openServer((_, outgoing) =>
    outgoing.writeHead(302, { location: "/next" }).end(),
  );
  const origin = `http://flip.example.org:${server.port}`;
  const { fetch, audited } = openFetch({
    allowPrivate: [origin],
    hosts: { "flip.example.org": [["127.0.0.1"], ["169.254.169.254"]] },
  });
  await expect(fetch(origin)).rejects.toMatchObject({ code: "address_refused" });
  expect(server.requests).toHaveLength(1);
  expect(audited.map(({ verdict }) => verdict)).toEqual(["allow", "deny"]);
});

test("[TN2] over https, a server that cannot prove its name gets no request", async () => {
  let greeting = "";
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", (chunk: Buffer) => {
      greeting = chunk.toString("latin1");
      socket.end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `https://named.example.org:${(server.address() as AddressInfo).port}`;
  const { fetch } = openFetch({ allowPrivate: [origin], hosts: { "named.example.org": [["127.0.0.1"]] } });
  await expect(fetch(origin)).rejects.toMatchObject({ code: "http_unreachable" });
  expect(greeting).toContain("named.example.org");
  server.close();
  await once(server, "close");
});

test("[TN3] GC41 reaches a private origin only if scheme, host and port were named", async () => {
  await using server = await openServer(hello);
  await using other = await openServer(hello);
  const { fetch } = openFetch({ allowPrivate: [server.origin], hosts: { localhost: [["127.0.0.1"]] } });
  expect(await (await fetch(server.origin)).text()).toBe("hello");
  for (const url of [
    other.origin,
    `http://localhost:${server.port}`,
    `http://127.0.0.2:${server.port}`,
    `https://127.0.0.1:${server.port}`,
  ])
    await expect(fetch(url)).rejects.toMatchObject({ code: "address_refused" });
  expect(other.requests).toEqual([]);
});

test("[TN3] allows a named IPv6 address, but never a reserved one", async () => {
  await using server = await openServer(hello, "::1");
  const metadata = "http://169.254.169.254";
  const { fetch } = openFetch({
    allowPrivate: [server.origin, metadata, "http://meta.example.org"],
    hosts: {
      "meta.example.org": [["169.254.169.254"]],
    },
  });
  expect(await (await fetch(server.origin)).text()).toBe("hello");
  expect(server.requests[0]?.headers.host).toBe(`[::1]:${server.port}`);
  await expect(fetch(metadata)).rejects.toMatchObject({ code: "address_refused" });
  await expect(fetch("http://meta.example.org")).rejects.toMatchObject({ code: "address_refused" });
});

test.each(["192.168.1.5", "ftp://192.168.1.5", "nas"])("[TN3] does not accept %s as an origin", (origin) => {
  expect(() => openFetch({ allowPrivate: [origin] })).toThrow("is not an origin");
});

test("[TN4] GC41 refuses a redirect to a private address, even to an allowed one", async () => {
  await using inner = await openServer(hello);
  const targets = [inner.origin, "http://169.254.169.254/", "http://[::1]/", "//127.1/", "http://localhost/"];
  await using outer = await openServer(({ path }, outgoing) =>
    outgoing.writeHead(302, { location: targets[Number(path.slice(1))] }).end(),
  );
  const { fetch, audited } = openFetch({ allowPrivate: [outer.origin, inner.origin] });
  for (const at of targets.keys())
    await expect(fetch(`${outer.origin}/${at}`)).rejects.toMatchObject({ code: "address_refused" });
  expect(inner.requests).toEqual([]);
  expect(audited.filter(({ verdict }) => verdict === "deny")).toHaveLength(targets.length);
});
