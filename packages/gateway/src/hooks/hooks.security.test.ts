import { createFakeClock } from "@deputy/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { Webhook } from "standardwebhooks";
import type { GatewayDeps } from "../gateway.ts";
import { startTestGateway } from "../test/gateway.fixture.ts";
import { type Hook, type HookScheme, hookSchemes } from "./hook.ts";
import { bodyOf, HOOK_TOKEN, hookOf, PUBLIC_URL, senders } from "./sign.fixture.ts";

const PATH = `/api/hooks/${HOOK_TOKEN}`;
const signing = hookSchemes.filter((scheme) => scheme !== "none");
const dated = ["standard", "slack", "stripe", "telnyx"] as const;
/** Senders that sign the body's own bytes; Telegram signs nothing, Twilio the fields. */
const overBytes = ["standard", "github", "slack", "stripe", "telnyx"] as const;

async function setup(scheme: HookScheme, over: Partial<Hook> = {}, deps: Partial<GatewayDeps> = {}) {
  const clock = createFakeClock();
  const gateway = await startTestGateway({ clock, ...deps });
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  gateway.hooks.push(hookOf(scheme, over));
  const received = async () =>
    (await Array.fromAsync(gateway.log.readAll({ types: ["hook.received"] }))).map(({ event }) => event);
  const everything = async () => JSON.stringify(await Array.fromAsync(gateway.log.readAll()));
  const now = (): string => String(Math.floor(clock.now() / 1_000));
  /** Sends what the sender would, with the test's changes. */
  const send = async (
    change: {
      readonly body?: string;
      readonly sentBody?: string;
      readonly at?: string;
      readonly id?: string;
      readonly query?: string;
      readonly headers?: Readonly<Record<string, string | readonly string[]>>;
      readonly token?: string;
    } = {},
  ) => {
    const { id = "1001", at = now(), query = "" } = change;
    const body = change.body ?? bodyOf(scheme, id);
    const url = PATH.replace(HOOK_TOKEN, change.token ?? HOOK_TOKEN) + query;
    const headers = { ...senders[scheme]({ body, at, id, url }), authorization: [], ...change.headers };
    const sent = { method: "POST", path: url, headers, body: change.sentBody ?? body };
    const answer = await gateway.raw(sent);
    return { ...answer, json: JSON.parse(answer.body) as Record<string, unknown> };
  };
  return { ...gateway, clock, now, send, received, everything };
}

test.each(hookSchemes)("[G80] an acknowledged delivery is in the log: %s", async (scheme) => {
  const { send, received } = await setup(scheme);
  const { status, json } = await send();
  expect([status, json["duplicate"]]).toEqual([202, false]);
  const [event, ...more] = await received();
  expect(more).toEqual([]);
  expect(event?.data).toMatchObject({
    hookId: `id-of-${scheme}`,
    hook: scheme,
    scheme,
    deliveryId: json["deliveryId"],
    label: { trust: "untrusted", source: `hook:${scheme}` },
  });
  expect((event?.data as { payload: unknown } | undefined)?.payload).toEqual(
    scheme === "twilio"
      ? { MessageSid: "SM1001", Body: "Hello there", From: "+15550001111" }
      : JSON.parse(bodyOf(scheme)),
  );
});

test("[G80] [GC35] Svix sends the same under names of its own; the two are not mixed", async () => {
  const { send, received } = await setup("standard");
  const svix = (from: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(from)
        .filter(([name]) => name.startsWith("webhook-"))
        .flatMap(([name, value]): [string, string | string[]][] => [
          [name, []],
          [name.replace("webhook", "svix"), value],
        ]),
    );
  const at = String(Math.floor(createFakeClock().now() / 1_000));
  const signed = senders.standard({ body: bodyOf("standard", "msg_1"), at, id: "msg_1", url: "" });
  const { status, json } = await send({ id: "msg_1", headers: svix(signed) });
  expect([status, json["deliveryId"]]).toEqual([202, "msg_1"]);
  expect((await send({ id: "msg_1", headers: svix(signed) })).json["duplicate"]).toBe(true);
  const forged = await send({ id: "msg_1", headers: { ...svix(signed), "svix-id": "msg_2" } });
  expect(forged.status).toBe(401);
  const mixed = await send({ id: "msg_1", headers: { ...svix(signed), "webhook-id": "msg_1" } });
  expect(mixed.status).toBe(401);
  expect(await received()).toHaveLength(1);
});

test("[G80] keeps GitHub's name of the event beside the payload", async () => {
  const { send, received } = await setup("github");
  await send({ id: "72d3162e" });
  expect((await received())[0]?.data).toMatchObject({ deliveryId: "72d3162e", event: "push" });
});

test.each(signing)("[GC35] accepts nothing without a signature: %s", async (scheme) => {
  const { send, received, everything } = await setup(scheme);
  for (const name of Object.keys(senders[scheme]({ body: "", at: "0", id: "x", url: "" }))) {
    if (name === "content-type" || name.startsWith("x-github-")) continue;
    for (const value of [[], ""]) {
      const { status, json } = await send({ headers: { [name]: value } });
      expect([name, status, json["code"]]).toEqual([name, 401, "unauthorized"]);
    }
  }
  expect(await received()).toEqual([]);
  await vi.waitFor(async () => expect(await everything()).toContain("missing_signature"));
  expect(await everything()).not.toMatch(/opened|Hello/);
});

test.each(signing)("[GC35] accepts nothing with a wrong signature: %s", async (scheme) => {
  const { send, received, everything } = await setup(scheme, {
    secret: scheme === "telnyx" ? Buffer.alloc(32, 7).toString("base64") : "another secret altogether",
  });
  const { status, json } = await send();
  expect([status, json["code"]]).toEqual([401, "unauthorized"]);
  expect(await received()).toEqual([]);
  await vi.waitFor(async () => expect(await everything()).toContain("wrong_signature"));
  expect(await everything()).not.toMatch(/opened|Hello/);
});

test.each(dated)(
  "[GC35] refuses a signature more than five minutes old or in the future: %s",
  async (scheme) => {
    const { send, now, received } = await setup(scheme);
    const at = (offset: number): string => String(Number(now()) + offset);
    for (const stale of [at(-301), at(301), "0"]) expect((await send({ at: stale })).status).toBe(401);
    expect(await received()).toEqual([]);
    expect((await send({ at: at(-299), id: "1" })).status).toBe(202);
    expect((await send({ at: at(299), id: "2" })).status).toBe(202);
  },
);

test.each(dated)("[GC35] refuses an invalid time, even if it is signed: %s", async (scheme) => {
  const { send, now, received } = await setup(scheme);
  for (const at of ["NaN", "soon", `${now()}.5`, `+${now()}`, `0x${now()}`, "-1", "9".repeat(400)])
    expect([at, (await send({ at })).status]).toEqual([at, 401]);
  expect(await received()).toEqual([]);
});

test.each(overBytes)(
  "[GC36] the signature covers the bytes: the same JSON in another form fails: %s",
  async (scheme) => {
    const { send, received } = await setup(scheme);
    const body = bodyOf(scheme);
    for (const sentBody of [
      JSON.stringify(JSON.parse(body)),
      `${body}\n`,
      body.replace("ada", "\\u0061da"),
      "",
    ])
      expect((await send({ body, sentBody })).status).toBe(401);
    expect(await received()).toEqual([]);
    expect((await send({ body })).status).toBe(202);
  },
);

test.each(overBytes)(
  "[GC36] does not repair invalid UTF-8 before checking the signature: %s",
  async (scheme) => {
    const { send, received } = await setup(scheme);
    // The signature covers the text with the replacement character; the body has the byte that turns into it.
    const body = '{"a":"\uFFFD"}';
    const sentBody = Buffer.from([...Buffer.from('{"a":"'), 0xff, ...Buffer.from('"}')]);
    expect((await send({ body, sentBody: sentBody as unknown as string })).status).toBe(401);
    expect(await received()).toEqual([]);
  },
);

test.each(signing)(
  "[GC36] refuses a shorter, longer or malformed signature and breaks nothing: %s",
  async (scheme) => {
    const { send, now, received, bugs } = await setup(scheme);
    const right = senders[scheme]({ body: bodyOf(scheme), at: now(), id: "1001", url: PATH });
    const name = Object.keys(right).find((one) => /signature|secret-token/.test(one)) ?? "";
    const good = right[name] ?? "";
    const odd = ["x", "é", "v1,", "sha256=", "v0=", `t=${now()},v1=`, "A".repeat(9_000)];
    const wrong = [good.slice(0, -1), `${good}A`, good.toUpperCase(), good.replace(/.$/, "é"), ...odd];
    for (const value of wrong) {
      const { status } = await send({ headers: { [name]: value } });
      expect([value.slice(0, 20), status]).toEqual([value.slice(0, 20), 401]);
    }
    expect((await send({ headers: { [name]: [good, good] } })).status, "twice the header").toBe(401);
    expect(await received()).toEqual([]);
    expect(bugs).toEqual([]);
    expect((await send({ headers: { [name]: good } })).status).toBe(202);
  },
);

test("[GC36] accepts a standard webhook if one of its signatures, of a known version, matches", async () => {
  const { send, now, received } = await setup("standard");
  const body = bodyOf("standard");
  const good = senders.standard({ body, at: now(), id: "1001", url: PATH })["webhook-signature"] ?? "";
  const old = new Webhook(Buffer.from("an older secret of theirs").toString("base64"));
  const other = old.sign("1001", new Date(Number(now()) * 1_000), body);
  const many = Array.from({ length: 50 }, () => other).join(" ");
  for (const value of [other, good.replace("v1,", "v2,"), good.replace("v1,", "v1a,"), `${many} ${good}`])
    expect((await send({ headers: { "webhook-signature": value } })).status).toBe(401);
  expect(await received()).toEqual([]);
  const both = `${other} v1a,AAAA ${good}`;
  expect((await send({ headers: { "webhook-signature": both } })).status).toBe(202);
});

test.each(hookSchemes)("[GC37] ten concurrent copies of a delivery are one event: %s", async (scheme) => {
  const { send, received } = await setup(scheme);
  const answers = await Promise.all(Array.from({ length: 10 }, () => send()));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(202));
  expect(answers.filter(({ json }) => json["duplicate"] === false)).toHaveLength(1);
  expect(await received()).toHaveLength(1);
  expect((await send({ id: "1002" })).json["duplicate"]).toBe(false);
  expect(await received()).toHaveLength(2);
});

test.each(hookSchemes)(
  "[GC37] another query, or query order, is still the same delivery: %s",
  async (scheme) => {
    const { send, received } = await setup(scheme);
    const first = await send({ query: "?a=1&b=2" });
    expect(first.status).toBe(202);
    // Captured and sent again: its signature goes with it.
    const url = `${PATH}?a=1&b=2`;
    const headers =
      scheme === "twilio" ? senders.twilio({ body: bodyOf("twilio"), at: "0", id: "", url }) : {};
    const replayed = await Promise.all(
      ["?b=2&a=1", "?a=1&b=2&", "?x", ""].map((query) => send({ query, headers })),
    );
    // Twilio signs the address, so another one is a wrong signature.
    const wanted = scheme === "twilio" ? 401 : 202;
    expect(replayed.map(({ status }) => status)).toEqual([wanted, wanted, wanted, wanted]);
    expect(await received()).toHaveLength(1);
  },
);

test("[GC37] the same body from GitHub under another id is the same delivery", async () => {
  const { send, received } = await setup("github");
  const body = bodyOf("github");
  for (const id of ["one", "two", "three"]) expect((await send({ id, body })).status).toBe(202);
  expect(await received()).toHaveLength(1);
});

test("[GC37] Slack's retry with a new signature is the same delivery", async () => {
  const { send, received, clock } = await setup("slack");
  await send();
  await clock.advance(60_000);
  const again = await send({ headers: { "x-slack-retry-num": "1" } });
  expect([again.status, again.json["duplicate"]]).toEqual([202, true]);
  expect(await received()).toHaveLength(1);
});

test("[G81] answers Slack's signed URL check and keeps nothing", async () => {
  const { send, received } = await setup("slack");
  const body = '{"type":"url_verification","challenge":"3eZbrw1aB","token":"x"}';
  const { status, json } = await send({ body });
  expect([status, json]).toEqual([200, { challenge: "3eZbrw1aB" }]);
  const { status: refused, body: told } = await send({ body, headers: { "x-slack-signature": "v0=00" } });
  expect(refused).toBe(401);
  expect(told).not.toContain("3eZbrw1aB");
  expect(await received()).toEqual([]);
});

test("[G82] answers an unknown address like a wrong signature, whatever comes with it", async () => {
  const { send, received, raw } = await setup("standard");
  const wrong = await send({ sentBody: "{}" });
  for (const token of ["nothing", HOOK_TOKEN.slice(0, -1), `${HOOK_TOKEN}x`, HOOK_TOKEN.toUpperCase()]) {
    const { status, body } = await send({ token });
    expect([token, status, body]).toEqual([token, wrong.status, wrong.body]);
  }
  for (const type of ["text/plain", "image/png", "multipart/form-data; boundary=x"]) {
    const request = {
      method: "POST",
      path: "/api/hooks/nothing",
      headers: { "content-type": type },
      body: "x",
    };
    expect((await raw(request)).body).toBe(wrong.body);
  }
  expect(await received()).toEqual([]);
});

test("[G82] [GC15] twenty wrong deliveries block that hook for their address, and nothing else", async () => {
  const { send, hooks, fetch, clock, received } = await setup("github");
  const other = { ...hookOf("telegram"), tokenSha256: hookOf("github", {}).tokenSha256.replace(/^./, "0") };
  hooks.push(other);
  const wrong = await Promise.all(Array.from({ length: 50 }, (_, n) => send({ sentBody: `${n}` })));
  expect(wrong.filter(({ status }) => status === 401)).toHaveLength(20);
  expect(wrong.filter(({ status }) => status === 429)).toHaveLength(30);
  const right = await send();
  expect([right.status, right.json["code"]]).toEqual([429, "too_many_attempts"]);
  expect(Number(right.headers["retry-after"])).toBeGreaterThan(0);
  expect(await received()).toEqual([]);
  // The owner and unknown addresses have separate counts.
  expect((await fetch("/api/tasks")).status).toBe(200);
  expect((await send({ token: "nothing" })).status).toBe(401);
  await clock.advance(60_000);
  expect((await send()).status).toBe(202);
});

test("[G82] [GC15] limits guesses at addresses too, without blocking existing hooks", async () => {
  const { send, fetch } = await setup("standard");
  const guesses = await Promise.all(Array.from({ length: 30 }, (_, n) => send({ token: `guess-${n}` })));
  expect(guesses.filter(({ status }) => status === 401)).toHaveLength(20);
  expect(guesses.filter(({ status }) => status === 429)).toHaveLength(10);
  expect((await send()).status).toBe(202);
  expect((await fetch("/api/tasks")).status).toBe(200);
});

test("[G82] records a refusal in the audit with its reason and without the content", async () => {
  const { send, log } = await setup("github", { name: "builds" });
  await send({ sentBody: '{"secret":"of a stranger"}' });
  await send({ token: "nothing" });
  await vi.waitFor(async () => {
    const audit = (await Array.fromAsync(log.read("system"))).map(({ type, data }) => ({ type, data }));
    expect(audit).toMatchObject([
      {
        type: "auth.rejected",
        data: { how: "hook builds", reason: "wrong_signature", route: "POST /api/hooks/:token" },
      },
      { type: "auth.rejected", data: { how: "hook", reason: "unknown_hook" } },
    ]);
    expect(JSON.stringify(audit)).not.toMatch(/stranger|nothing|a-token-that/);
  });
});

test("[G83] [GC24] refuses and does not keep what is too large, too deep, poisoned, not JSON or of another type", async () => {
  const { send, received } = await setup("none", { maxBytes: 50_000 });
  const deep = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;
  const refused = [
    [{ body: `"${"x".repeat(50_000)}"` }, 413, "body_too_large"],
    [{ body: `"${"x".repeat(1_000_001)}"` }, 413, "body_too_large"],
    [{ body: deep }, 400, "invalid_json"],
    [{ body: '{"__proto__":{"admin":true}}' }, 400, "invalid_json"],
    [{ body: '{"a":[{"constructor":{"prototype":{}}}]}' }, 400, "invalid_json"],
    [{ body: "{" }, 400, "invalid_json"],
    [{ body: "" }, 400, "invalid_json"],
    [{ body: "<x/>", headers: { "content-type": "text/xml" } }, 415, "unsupported_media_type"],
    [{ body: "a=1", headers: { "content-type": "text/plain" } }, 415, "unsupported_media_type"],
    [
      { body: "x", headers: { "content-type": "multipart/form-data; boundary=x" } },
      415,
      "unsupported_media_type",
    ],
    [
      { body: "__proto__=1", headers: { "content-type": "application/x-www-form-urlencoded" } },
      400,
      "invalid_json",
    ],
  ] as const;
  for (const [change, status, code] of refused) {
    const answer = await send(change);
    expect([change.body.slice(0, 30), answer.status, answer.json["code"]]).toEqual([
      change.body.slice(0, 30),
      status,
      code,
    ]);
  }
  expect(await received()).toEqual([]);
  expect((await send({ body: '{"constructor":"x"}' })).status).toBe(202);
  const form = { "content-type": "application/x-www-form-urlencoded; charset=utf-8" };
  expect((await send({ body: "a=1&a=2&b=3", id: "2", headers: form })).status).toBe(202);
  expect((await received()).at(-1)?.data).toMatchObject({ payload: { a: ["1", "2"], b: "3" } });
});

test("[G83] refuses a payload that does not match the hook's schema, names the problem, and keeps nothing", async () => {
  const misfit = (payload: unknown) => (payload === 1 ? undefined : "body: must be 1");
  const { send, received } = await setup("none", { misfit });
  const { status, json } = await send({ body: "2" });
  expect([status, json["code"], json["detail"]]).toEqual([400, "invalid_request", "body: must be 1"]);
  expect(await received()).toEqual([]);
  expect((await send({ body: "1" })).status).toBe(202);
});

test("[G83] limits deliveries per minute and says when to send the others again", async () => {
  const { send, clock, received } = await setup("none", { maxPerMinute: 3 });
  const answers = await Promise.all(Array.from({ length: 5 }, (_, n) => send({ id: String(n) })));
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(3);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.json["code"]).toBe("too_many_deliveries");
  expect(Number(refused?.headers["retry-after"])).toBeGreaterThan(0);
  expect(await received()).toHaveLength(3);
  await clock.advance(60_000);
  expect((await send({ id: "later" })).status).toBe(202);
});

test("[G84] [GC2] a hook's public name reaches webhooks and nothing else", async () => {
  const { send, gateway, raw, url } = await setup("standard");
  const host = new URL(PUBLIC_URL).host;
  expect((await send({ headers: { host } })).status).toBe(202);
  expect((await send({ headers: { host: host.toUpperCase() }, id: "2" })).status).toBe(202);
  for (const other of [`${host}.`, `${host}:443`, "evil.example"])
    expect([other, (await send({ headers: { host: other } })).status]).toEqual([other, 421]);
  for (const { method, path } of gateway.routes) {
    if (path === "/api/hooks/:token") continue;
    expect([path, (await raw({ method, path, headers: { host } })).status]).toEqual([path, 421]);
  }
  const odd = [
    "/api/hooks/a/../../tasks",
    "/api/hooks/%2e%2e",
    "/api/hooks/",
    "//api/hooks/a",
    "/api/hooks/a/b",
    "/ws",
  ];
  for (const path of odd)
    expect([path, (await raw({ path, method: "POST", headers: { host } })).status]).toEqual([path, 421]);
  expect(url).not.toContain(host);
});

test("[G84] [GC7] refuses requests from pages of other sites, even with a valid signature", async () => {
  const { send, received } = await setup("none");
  for (const headers of [
    { origin: "https://evil.example" },
    { origin: "null" },
    { "sec-fetch-site": "cross-site" },
  ])
    expect((await send({ headers })).status).toBe(403);
  expect(await received()).toEqual([]);
});

test("[G80] does not acknowledge a delivery that the log refuses; it can be sent again", async () => {
  let isFull = true;
  const made = await setup("standard");
  const { log } = made;
  const append = log.append.bind(log);
  log.append = async (...args) => {
    if (isFull && args[0] !== "system") throw Object.assign(new Error("no"), { code: "x" });
    return await append(...args);
  };
  expect((await made.send()).status).toBe(500);
  isFull = false;
  expect((await made.send()).json).toMatchObject({ duplicate: false });
  expect(await made.received()).toHaveLength(1);
});

test("[G85] a removed or recreated hook does not accept deliveries for the old one", async () => {
  const { send, hooks, received } = await setup("standard");
  expect((await send()).status).toBe(202);
  hooks.length = 0;
  expect((await send({ id: "2" })).status).toBe(401);
  hooks.push(hookOf("standard", { id: "another", tokenSha256: "0".repeat(64) }));
  expect((await send({ id: "3" })).status).toBe(401);
  expect(await received()).toHaveLength(1);
});
