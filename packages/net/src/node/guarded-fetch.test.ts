import { NotSentError } from "@deputy/tools";
import { expect, test } from "vitest";
import { openFetch, openServer } from "@deputy/testing/net";

test("[TN7] audits every request: what, how much, how long, and no private value", async () => {
  await using server = await openServer((_, outgoing) => outgoing.writeHead(404).end("not here"));
  const { fetch, audited } = openFetch({ allowPrivate: [server.origin] });
  const response = await fetch(`${server.origin}/a?token=secret`, {
    method: "POST",
    headers: { Authorization: "Bearer secret", "X-Custom": "secret", accept: "text/html" },
    body: JSON.stringify({ a: 1 }),
  });
  expect(audited, "as long as its body was not read").toEqual([]);
  expect([response.status, await response.text()]).toEqual([404, "not here"]);
  expect(audited).toEqual([
    {
      method: "POST",
      host: new URL(server.origin).host,
      status: 404,
      requestBytes: expect.any(Number),
      responseBytes: expect.any(Number),
      durationMs: 0,
      verdict: "allow",
      headers: {
        accept: "text/html",
        authorization: "(hidden)",
        "content-type": "text/plain;charset=UTF-8",
        "user-agent": "Deputy",
        "x-custom": "(hidden)",
      },
    },
  ]);
  expect(audited[0]?.requestBytes).toBeGreaterThan(100);
  expect(audited[0]?.responseBytes).toBeGreaterThan(50);
  expect(JSON.stringify(audited)).not.toContain("secret");
});

test("[TN7] audits an unwanted answer when it is cancelled, and a failing one when it fails", async () => {
  await using server = await openServer((_, outgoing) => outgoing.end("x".repeat(1_000_000)));
  const { fetch, audited } = openFetch({ allowPrivate: [server.origin] });
  await (await fetch(server.origin)).body?.cancel();
  await expect(fetch("http://nobody.example.org/")).rejects.toMatchObject({ code: "http_unreachable" });
  await (await fetch(server.origin, { method: "HEAD" })).text();
  expect(audited).toMatchObject([
    { status: 200, verdict: "allow" },
    { host: "nobody.example.org", verdict: "allow", reason: expect.stringContaining("ENOTFOUND") },
    { method: "HEAD", status: 200 },
  ]);
});

test("[TN18] a request that could not connect was not sent; one whose connection broke may have been", async () => {
  const ended = await openServer((_, outgoing) => outgoing.end());
  await ended[Symbol.asyncDispose]();
  await using breaking = await openServer((_, outgoing) => outgoing.destroy());
  const { fetch } = openFetch({ allowPrivate: [ended.origin, breaking.origin] });
  const failureOf = (url: string) =>
    fetch(url, { method: "POST", body: "x" }).catch((error: unknown) => error);
  expect(await failureOf(ended.origin)).toBeInstanceOf(NotSentError);
  expect(await failureOf("http://nobody.example.org/")).toBeInstanceOf(NotSentError);
  const broken = await failureOf(breaking.origin);
  expect(broken).toMatchObject({ code: "http_unreachable" });
  expect(broken).not.toBeInstanceOf(NotSentError);
});

test("[TN8] works like fetch: methods, headers, every kind of body; any status is an answer", async () => {
  await using server = await openServer(({ path }, outgoing) => {
    outgoing.writeHead(Number(path.slice(1)), { "content-type": "text/plain", "set-cookie": ["a=1", "b=2"] });
    outgoing.end();
  });
  const { fetch } = openFetch({ allowPrivate: [server.origin] });
  const form = new FormData();
  form.set("a", "ä");
  for (const [body, type, sent] of [
    ["text", "text/plain;charset=UTF-8", "text"],
    [new URLSearchParams({ q: "a b" }), "application/x-www-form-urlencoded;charset=UTF-8", "q=a+b"],
    [new TextEncoder().encode("bytes"), undefined, "bytes"],
    [new Blob(["blob"], { type: "image/png" }), "image/png", "blob"],
    [form, expect.stringMatching(/^multipart\/form-data; boundary=/), expect.stringContaining("ä")],
  ] as const) {
    const response = await fetch(new URL(`${server.origin}/500`), { method: "put", body });
    expect([response.status, response.ok, response.headers.getSetCookie()]).toEqual([
      500,
      false,
      ["a=1", "b=2"],
    ]);
    expect(server.requests.at(-1)).toMatchObject({ method: "PUT", body: sent });
    expect(server.requests.at(-1)?.headers["content-type"]).toEqual(type);
    await response.text();
  }
  const empty = await fetch(`${server.origin}/204`);
  expect([empty.status, empty.body]).toEqual([204, null]);
});

test("[TN8] does not let the caller set connection headers, and sends no nonsense", async () => {
  await using server = await openServer((_, outgoing) => outgoing.end());
  const { fetch } = openFetch({ allowPrivate: [server.origin] });
  const headers = {
    host: "evil.example",
    connection: "keep-alive",
    "content-length": "5",
    expect: "100-continue",
  };
  await (await fetch(server.origin, { headers: { ...headers, "accept-encoding": "compress" } })).text();
  expect(server.requests[0]?.headers).toEqual({
    host: new URL(server.origin).host,
    connection: "close",
    accept: "*/*",
    "accept-encoding": "gzip, deflate, br, zstd",
    "user-agent": "Deputy",
  });
  for (const init of [{ method: "CONNECT" }, { method: "TRACE" }, { method: "GET x" }, { body: "x" }])
    await expect(fetch(server.origin, init)).rejects.toMatchObject({ code: "request_invalid" });
  await expect(fetch("example.org")).rejects.toMatchObject({ code: "request_invalid" });
  expect(server.requests).toHaveLength(1);
});
