import { expect, test } from "vitest";
import { documentOf, openTools, openWorld } from "../openapi.fixture.ts";
import type { HttpDoors } from "../request/http-doors.ts";
import type { AuthSettings } from "./credentials.ts";

const SECRET = "s3cret-of-the-user";
const parameters = [{ name: "api_key", in: "query", required: true, schema: { type: "string" } }];
const plain = documentOf({ "/x": { get: { operationId: "x" } } });
const keyed = documentOf({ "/x": { get: { operationId: "x", parameters } } });

const sentBy = async (auth: AuthSettings, document = plain) => {
  const { call, server } = await openWorld(document, { auth });
  await call("x");
  const request = server.verdicts[0]?.request;
  return {
    target: request?.target,
    authorization: request?.headers.get("authorization"),
    cookie: request?.headers.get("cookie"),
  };
};

test("[TO8] sends bearer, basic and key credentials in their own formats, with the secret's value at the time of the call", async () => {
  const secret = () => SECRET;
  expect(await sentBy({ type: "bearer", token: secret })).toMatchObject({
    authorization: `Bearer ${SECRET}`,
  });
  expect(await sentBy({ type: "basic", credentials: () => "me:pä:ss" })).toMatchObject({
    authorization: `Basic ${Buffer.from("me:pä:ss").toString("base64")}`,
  });
  expect(await sentBy({ type: "apiKey", key: secret, in: "cookie", name: "sid" })).toMatchObject({
    cookie: `sid=${SECRET}`,
  });
  expect(
    await sentBy({ type: "apiKey", key: () => "a&b c", in: "query", name: "api_key" }, keyed),
  ).toMatchObject({
    target: "/x?api_key=a%26b%20c",
  });
  let n = 0;
  const { call, server } = await openWorld(plain, {
    headers: { "X-Api-Key": () => `key-${(n += 1)}`, "X-Version": "2024-01-01" },
  });
  await call("x");
  await call("x");
  const keys = server.verdicts.map(({ request }) => request.headers.get("x-api-key"));
  expect(new Set(keys).size).toBe(2);
  expect(server.verdicts[0]?.request.headers.get("x-version")).toBe("2024-01-01");
});

test("[TO8] a key in the settings is not an argument", () => {
  const auth = { type: "apiKey", key: () => SECRET, in: "query", name: "api_key" } as const;
  expect(openTools(keyed, { auth }).tool("x").inputSchema).toMatchObject({ properties: {}, required: [] });
  expect(openTools(keyed).tool("x").inputSchema).toMatchObject({ required: ["api_key"] });
});

test("[TO8] removes a secret that the server repeats from results and errors", async () => {
  const echo = (status: number) => ({
    answer: ({ headers }: { headers: Headers }) =>
      Response.json({ got: headers.get("authorization"), plain: `x${SECRET}x` }, { status }),
    auth: { type: "basic", credentials: () => `me:${SECRET}` } as const,
  });
  const fine = await openWorld(plain, echo(200));
  const result = JSON.stringify(await fine.call("x"));
  expect(result).toContain("[redacted]");
  const broken = await openWorld(plain, echo(400));
  const error: unknown = await broken.call("x").catch((thrown: unknown) => thrown);
  const told = `${result} ${String(error)} ${JSON.stringify(error)} ${(await fine.tool("x").preview({})).title}`;
  expect(told).not.toContain(SECRET);
  expect(told).not.toContain(Buffer.from(`me:${SECRET}`).toString("base64"));
});

test("[TO8] a secret that cannot be read or sent fails the call without showing it", async () => {
  const missing = await openWorld(plain, {
    auth: {
      type: "bearer",
      token: () => {
        throw new Error("env:TOKEN gives no secret");
      },
    },
  });
  await expect(missing.call("x")).rejects.toThrow("env:TOKEN gives no secret");
  const broken = await openWorld(plain, { auth: { type: "bearer", token: () => `${SECRET}\nX: y` } });
  const error: unknown = await broken.call("x").catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "auth_failed" });
  expect(String(error)).not.toContain(SECRET);
  expect(missing.server.verdicts).toEqual([]);
  expect(broken.server.verdicts).toEqual([]);
});

/** A token server and the API behind one door. */
function oauthWorld(
  options: { readonly answers?: readonly Response[]; readonly clientAuth?: "basic" | "body" } = {},
) {
  const asked: { readonly authorization: string | null; readonly body: string }[] = [];
  const used: (string | null)[] = [];
  const answers = [...(options.answers ?? [])];
  let held: Promise<void> = Promise.resolve();
  let api: (token: string | null) => Response = () => Response.json({});
  const door: HttpDoors["named"] = async (url, init) => {
    const headers = new Headers(init.headers);
    if (url.pathname !== "/token") {
      used.push(headers.get("authorization"));
      return api(headers.get("authorization"));
    }
    asked.push({
      authorization: headers.get("authorization"),
      body: typeof init.body === "string" ? init.body : "",
    });
    const number = asked.length;
    await Promise.race([
      held,
      new Promise((_, reject) =>
        init.signal?.addEventListener("abort", () => reject(init.signal?.reason as Error)),
      ),
    ]);
    return answers.shift() ?? Response.json({ access_token: `token-number-${number}`, expires_in: 100 });
  };
  const auth: AuthSettings = {
    type: "oauth2",
    tokenUrl: "https://login.example/token",
    clientId: "me",
    clientSecret: () => SECRET,
    scopes: ["a", "b"],
    clientAuth: options.clientAuth ?? "basic",
  };
  const tools = openTools(plain, { server: "https://a.example", auth }, { named: door, others: door });
  return {
    ...tools,
    asked,
    used,
    hold: (until: Promise<void>) => void (held = until),
    onApi: (answer: typeof api) => void (api = answer),
  };
}

test("[TO8] sends client credentials once for many calls, and again before the token expires", async () => {
  const world = oauthWorld();
  const gate = Promise.withResolvers<void>();
  world.hold(gate.promise);
  const calls = [world.call("x"), world.call("x"), world.call("x")];
  gate.resolve();
  await Promise.all(calls);
  expect(world.asked).toEqual([
    { authorization: `Basic ${btoa(`me:${SECRET}`)}`, body: "grant_type=client_credentials&scope=a+b" },
  ]);
  expect(new Set(world.used)).toEqual(new Set(["Bearer token-number-1"]));
  expect(world.secrets).toEqual(["token-number-1"]);
  await world.clock.advance(69_000);
  await world.call("x");
  expect(world.asked).toHaveLength(1);
  await world.clock.advance(2_000);
  await world.call("x");
  expect(world.used.at(-1)).toBe("Bearer token-number-2");
});

test("[TO8] replaces a token that the server no longer accepts, once", async () => {
  const world = oauthWorld({ clientAuth: "body" });
  world.onApi((token) =>
    token === "Bearer token-number-1" ? new Response(null, { status: 401 }) : Response.json({ ok: 1 }),
  );
  expect(await world.call("x")).toEqual({ ok: 1 });
  expect(world.asked[0]).toEqual({
    authorization: null,
    body: `grant_type=client_credentials&scope=a+b&client_id=me&client_secret=${SECRET}`,
  });
  world.onApi(() => new Response(null, { status: 401 }));
  await expect(world.call("x")).rejects.toMatchObject({ code: "http_unauthorized" });
  expect(world.asked).toHaveLength(3);
});

test.each([
  () => new Response("<html>", { status: 200 }),
  () => Response.json({ access_token: "two words\n" }),
  () => Response.json({ error: "invalid_client" }, { status: 401 }),
  () => new Response(null, { status: 302, headers: { location: "http://127.0.0.1/" } }),
  () => new Response("x".repeat(100_000)),
])(
  "[TO8] a token server that gives none is an error that says whose (%#), and the next call asks again",
  async (bad) => {
    const world = oauthWorld({ answers: [bad()] });
    await expect(world.call("x")).rejects.toMatchObject({
      code: "auth_failed",
      message: expect.stringContaining("login.example"),
    });
    expect(world.used).toEqual([]);
    expect(await world.call("x")).toEqual({});
  },
);

test("[TO8] gives up on a token server that hangs; if one caller stops waiting, the others still wait", async () => {
  const world = oauthWorld();
  world.hold(new Promise(() => undefined));
  const stop = new AbortController();
  const first = world.call("x", undefined, stop.signal);
  const second = world.call("x");
  const stopped = expect(first).rejects.toThrow("enough");
  const failed = expect(second).rejects.toMatchObject({
    code: "auth_failed",
    message: expect.stringContaining("did not answer"),
  });
  stop.abort(new Error("enough"));
  await stopped;
  await world.clock.advance(30_000);
  await failed;
  expect(world.asked).toHaveLength(1);
});
