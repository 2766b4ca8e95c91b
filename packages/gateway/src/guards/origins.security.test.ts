import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import type { GatewayDeps } from "../gateway.ts";
import { startTestGateway, TOKEN } from "../test/gateway.fixture.ts";
import { readBlocks } from "../test/read-event-stream.ts";
import { signIn } from "../test/socket-client.ts";

const PAGE = "http://localhost:5173";
/** What a browser sends for a page at another local port. */
const FROM_PAGE = { origin: PAGE, "sec-fetch-site": "same-site", "sec-fetch-mode": "cors" } as const;

async function setup(overrides: Partial<GatewayDeps> = {}) {
  const gateway = await startTestGateway(overrides);
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  const preflight = (path: string, method: string, origin: string) =>
    gateway.raw({
      method: "OPTIONS",
      path,
      headers: {
        origin,
        authorization: [],
        "access-control-request-method": method,
        "access-control-request-headers": "authorization,content-type",
      },
    });
  /** The status of the answer to an upgrade that was refused. */
  const refused = async (headers: Readonly<Record<string, string>>) => {
    const ws = new WebSocket(`${gateway.url.replace("http", "ws")}/ws`, { headers });
    ws.on("error", () => undefined);
    const [, response] = (await once(ws, "unexpected-response")) as [unknown, IncomingMessage];
    return response.statusCode;
  };
  return { ...gateway, preflight, refused };
}

/** Origins that look like that of the page, or of a page that the settings name. */
const strangers = (own: string) => [
  own.replace("http:", "https:"),
  own.replace("http:", "ws:"),
  own.replace(/:\d+$/, ""),
  `${own}/`,
  `${own}.evil.example`,
  `http://evil.example@${new URL(own).host}`,
  own.replace("127.0.0.1", "localhost"),
  "https://localhost:5173",
  "http://localhost",
  "http://localhost:51730",
  "http://LOCALHOST:5173",
  "http://127.0.0.1:5173",
  "http://localhost:5173.evil.example",
  "null",
  "",
];

test("[GC4] [GC7] recognizes our own page, and those in the settings, only by their exact origin: scheme, host and port", async () => {
  const { raw, url, refused } = await setup({ origins: [PAGE] });
  for (const origin of strangers(url).filter((name) => name !== "")) {
    expect([origin, await refused({ origin })]).toEqual([origin, 403]);
    const posted = await raw({ method: "POST", path: "/api/tasks", headers: { origin } });
    expect([origin, posted.status, posted.headers["access-control-allow-origin"]]).toEqual([
      origin,
      403,
      undefined,
    ]);
  }
});

test("[G90] a page from the settings may do what our own may: HTTP, event streams and sockets", async () => {
  const { gateway, url, post, fetch, preflight, createTask } = await setup({ origins: [`${PAGE}/`] });
  for (const { method, path } of gateway.routes) {
    const { status, headers, body } = await preflight(path, method, PAGE);
    expect([path, status, body]).toEqual([path, 204, ""]);
    expect(headers["access-control-allow-origin"]).toBe(PAGE);
    expect(headers["access-control-allow-methods"]?.split(", ")).toContain(method);
    expect(headers["access-control-allow-headers"]).toMatch(/authorization.*content-type/);
    expect(headers["access-control-allow-credentials"]).toBeUndefined();
    expect(headers["vary"]).toBe("Origin");
  }
  const made = await post("/api/tasks", { prompt: "x" }, FROM_PAGE);
  expect([made.status, made.headers.get("access-control-allow-origin")]).toEqual([201, PAGE]);
  const stream = await fetch(`/api/tasks/${(await createTask()).id}/events`, { headers: FROM_PAGE });
  expect([stream.status, stream.headers.get("access-control-allow-origin")]).toEqual([200, PAGE]);
  expect(await readBlocks(stream).next()).toMatchObject({ done: false });
  const client = await signIn(url, TOKEN, FROM_PAGE);
  expect(await client.call("health.check")).toMatchObject({ status: "ok" });
});

test("[G90] such a page needs the token, can read that refusal, and does not count as a local program", async () => {
  const { raw } = await setup({ origins: [PAGE] });
  const none = await raw({ headers: { ...FROM_PAGE, authorization: [] } });
  expect([none.status, none.headers["access-control-allow-origin"]]).toEqual([401, PAGE]);
  const plugin = { program: { code: "return 1;", language: "typescript", plugins: ["/home/ada/lamp.ts"] } };
  const { status } = await raw({
    method: "POST",
    path: "/api/tasks",
    headers: { ...FROM_PAGE, "content-type": "application/json" },
    body: JSON.stringify(plugin),
  });
  expect(status).toBe(403);
});

test("[GC9] other pages still get no CORS header, and their preflights are refused", async () => {
  const { preflight, raw } = await setup({ origins: [PAGE] });
  for (const origin of ["https://evil.example", "null", "https://localhost:5173"]) {
    const asked = await preflight("/api/tasks", "POST", origin);
    const read = await raw({ headers: { origin } });
    const names = [...Object.keys(asked.headers), ...Object.keys(read.headers)];
    expect([asked.status, names.filter((name) => name.startsWith("access-control-"))]).toEqual([403, []]);
  }
});

test.each([
  "*",
  "null",
  "localhost:5173",
  "http://localhost:5173/app",
  "file:///tmp/page.html",
  "http://*.example",
])("[G90] refuses a setting that is not the origin of one page: %s", async (origin) => {
  await expect(setup({ origins: [origin] })).rejects.toThrow("is not an origin");
});
