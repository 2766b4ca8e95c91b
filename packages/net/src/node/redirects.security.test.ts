import { expect, test } from "vitest";
import { followRedirect } from "../follow-redirect.ts";
import { type Answer, openFetch, openServer } from "@deputy/testing/net";

const HEADERS = {
  accept: "text/html",
  "accept-language": "en",
  authorization: "Bearer secret",
  cookie: "sid=secret",
  "x-api-key": "secret",
  "x-anything": "secret",
  referer: "https://example.org/secret",
};

/** `/?to=…&status=…` redirects there. */
const redirecting: Answer = ({ path }, outgoing) => {
  const { searchParams } = new URL(path, "http://x");
  const to = searchParams.get("to");
  if (to === null) outgoing.end("arrived");
  else outgoing.writeHead(Number(searchParams.get("status") ?? 302), { location: to }).end();
};

function step(from: string, to: string, options: { status?: number; method?: string } = {}) {
  const { status = 302, method = "GET" } = options;
  const body = method === "GET" || method === "HEAD" ? undefined : new Uint8Array([1]);
  const headers = new Headers({ ...HEADERS, "content-type": "text/plain" });
  return followRedirect({ method, url: new URL(from), headers, body }, status, to);
}

test.each([
  "https://other.example.org/",
  "https://example.org:8443/",
  "https://sub.example.org/",
  "https://example.org.evil.example/",
  "//other.example.org/",
])("[TN4] GC42 sends no credential and no header of the caller's to another origin, %s", (to) => {
  const { headers } = step("https://example.org/a", to);
  expect(Object.fromEntries(headers)).toEqual({ accept: "text/html", "accept-language": "en" });
});

test("[TN4] GC42 dropped headers stay dropped, even back at the first origin", () => {
  const away = step("https://example.org/a", "https://other.example.org/");
  const back = followRedirect(away, 302, "https://example.org/b");
  expect(back.headers.has("authorization")).toBe(false);
  expect(back.headers.has("x-api-key")).toBe(false);
});

test("[TN4] GC42 a redirect by a real server keeps headers at its own origin and drops them at another", async () => {
  await using server = await openServer(redirecting);
  const other = `http://other.example.org:${server.port}/`;
  const { fetch, audited } = openFetch({ allowPrivate: [server.origin] });
  expect(await (await fetch(`${server.origin}/?to=/there`, { headers: HEADERS })).text()).toBe("arrived");
  expect(server.requests[1]?.headers).toMatchObject(HEADERS);
  await expect(fetch(`${server.origin}/?to=${other}`, { headers: HEADERS })).rejects.toMatchObject({
    code: "http_unreachable",
  });
  expect(audited.map(({ headers = {} }) => Object.keys(headers))).toEqual([
    expect.arrayContaining(Object.keys(HEADERS)),
    expect.arrayContaining(Object.keys(HEADERS)),
    expect.arrayContaining(Object.keys(HEADERS)),
    ["accept", "accept-language", "user-agent"],
  ]);
});

test("[TN4] never redirects from https to http, and follows no address with a password", async () => {
  expect(() => step("https://example.org/", "http://example.org/")).toThrow("without encryption");
  await using server = await openServer(redirecting);
  const { fetch, audited } = openFetch({ allowPrivate: [server.origin] });
  const withPassword = server.origin.replace("//", "//a:b@");
  await expect(fetch(`${server.origin}/?to=${withPassword}`)).rejects.toMatchObject({
    code: "address_refused",
  });
  await expect(fetch(`${server.origin}/?to=file:///etc/passwd`)).rejects.toMatchObject({
    code: "address_refused",
  });
  await expect(fetch(`${server.origin}/?to=http://[`)).rejects.toMatchObject({ code: "address_refused" });
  expect(audited.filter(({ verdict }) => verdict === "deny")).toHaveLength(3);
});

test.each([
  { status: 301, method: "POST", becomes: "GET" },
  { status: 302, method: "POST", becomes: "GET" },
  { status: 303, method: "POST", becomes: "GET" },
  { status: 303, method: "DELETE", becomes: "GET" },
  { status: 307, method: "POST", becomes: "POST" },
  { status: 308, method: "PUT", becomes: "PUT" },
  { status: 301, method: "PUT", becomes: "PUT" },
  { status: 303, method: "HEAD", becomes: "HEAD" },
])("[TN4] $status turns $method into $becomes", ({ status, method, becomes }) => {
  const next = step("https://example.org/a", "/b", { status, method });
  expect(next).toMatchObject({ method: becomes, url: { href: "https://example.org/b" } });
  expect(next.body === undefined).toBe(becomes === "GET" || becomes === "HEAD");
  expect(next.headers.has("content-type")).toBe(becomes !== "GET");
});

test.each([307, 308])("[TN4] GC42 %i sends no body to another origin", (status) => {
  expect(() =>
    step("https://example.org/", "https://other.example.org/", { status, method: "POST" }),
  ).toThrow("another place");
});

test("[TN4] follows five redirects and not six; `manual` follows none, `error` rejects", async () => {
  await using server = await openServer(({ path }, outgoing) => {
    const left = Number(path.slice(1));
    if (left === 0) outgoing.end("arrived");
    else outgoing.writeHead(302, { location: `/${left - 1}` }).end();
  });
  const { fetch } = openFetch({ allowPrivate: [server.origin] });
  const response = await fetch(`${server.origin}/5`);
  expect(await response.text()).toBe("arrived");
  expect(response.url).toBe(`${server.origin}/0`);
  await expect(fetch(`${server.origin}/6`)).rejects.toMatchObject({ code: "address_refused" });
  const manual = await fetch(`${server.origin}/5`, { redirect: "manual" });
  expect([manual.status, manual.headers.get("location")]).toEqual([302, "/4"]);
  await manual.body?.cancel();
  await expect(fetch(`${server.origin}/5`, { redirect: "error" })).rejects.toMatchObject({
    code: "address_refused",
  });
});
