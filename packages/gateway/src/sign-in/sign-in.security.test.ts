import { createFakeClock } from "@deputy/testing";
import { expect, onTestFinished, test } from "vitest";
import { startTestGateway } from "../test/gateway.fixture.ts";
import { signIn } from "../test/socket-client.ts";
import { createPageSessions } from "./page-sessions.ts";
import { createSignInCodes } from "./sign-in-codes.ts";

async function setup() {
  const gateway = await startTestGateway();
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  const exchange = (code: string) =>
    fetch(`${gateway.url}/api/sign-in`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code }),
    });
  return { ...gateway, exchange };
}

test("[G91] a code gives a session once; the session stands for the token, over HTTP and the socket", async () => {
  const { gateway, exchange, url } = await setup();
  const code = gateway.signInCode();
  const { session } = (await (await exchange(code)).json()) as { session: string };
  const headers = { authorization: `Bearer ${session}` };
  expect((await fetch(`${url}/api/tasks`, { headers })).status).toBe(200);
  const client = await signIn(url, session);
  expect(await client.call("tasks.list")).toEqual({ tasks: [] });
  const again = await exchange(code);
  expect([again.status, (await again.json()) as object]).toMatchObject([
    401,
    { code: "unauthorized", hint: expect.stringContaining("deputy open") },
  ]);
  expect((await exchange("nonsense")).status).toBe(401);
});

test("[G91] a new token ends every session, also open sockets", async () => {
  const { fetch: ask, url, setToken } = await setup();
  const { session } = (await (await ask("/api/sign-in/sessions", { method: "POST" })).json()) as {
    session: string;
  };
  const client = await signIn(url, session);
  setToken("another-token");
  expect((await client.closed).code).toBe(4401);
  const headers = { authorization: `Bearer ${session}` };
  expect((await fetch(`${url}/api/tasks`, { headers })).status).toBe(401);
});

test("[G91] a code lives for two minutes, and a session for thirty days", async () => {
  const clock = createFakeClock();
  const codes = createSignInCodes({ clock });
  const [early, late] = [codes.issue().code, codes.issue().code];
  await clock.advance(119_000);
  expect(codes.redeem(early)).toBe(true);
  await clock.advance(2_000);
  expect(codes.redeem(late)).toBe(false);
  const sessions = createPageSessions({ clock, token: () => "token" });
  const { session } = sessions.issue();
  await clock.advance(29 * 86_400_000);
  expect(sessions.check(session, "token")).toBe(true);
  await clock.advance(2 * 86_400_000);
  expect(sessions.check(session, "token")).toBe(false);
});

test("[G91] a session that was changed in any place, or signed with another or an empty token, is refused", () => {
  const clock = createFakeClock();
  const { session } = createPageSessions({ clock, token: () => "token" }).issue();
  const sessions = createPageSessions({ clock, token: () => "token" });
  for (let at = 0; at < session.length; at += 1) {
    const other = session[at] === "A" ? "B" : "A";
    const changed = session.slice(0, at) + other + session.slice(at + 1);
    // The last character of a signature has bits that stand for nothing.
    if (at < session.length - 1) expect(sessions.check(changed, "token"), changed).not.toBe(true);
  }
  expect(sessions.check(session, "other")).toBe(false);
  expect(createPageSessions({ clock, token: () => "" }).check(session, "")).toBe(false);
  expect(sessions.check("token", "token")).toBeUndefined();
});
