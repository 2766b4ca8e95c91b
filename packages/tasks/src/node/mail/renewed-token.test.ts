import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createFakeClock } from "@deputy/testing";
import { openFetch } from "@deputy/testing/net";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../eventually.fixture.ts";
import { openMailWorld } from "./mail-world.fixture.ts";
import { createRenewedToken } from "./renewed-token.ts";

const live = new AbortController().signal;

/** A provider's token endpoint, which knows one client, and exchanges each refresh token once. */
async function openProvider() {
  const asked: Record<string, string>[] = [];
  const forced: { status: number; body: object }[] = [];
  let valid = "refresh-0";
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
      asked.push(form);
      const isRight =
        form["grant_type"] === "refresh_token" &&
        form["refresh_token"] === valid &&
        form["client_id"] === "me" &&
        form["client_secret"] === "shh";
      if (isRight) valid = `refresh-${asked.length}`;
      const { status, body } =
        forced.shift() ??
        (isRight
          ? {
              status: 200,
              body: { access_token: `tok-${asked.length}`, expires_in: 3_600, refresh_token: valid },
            }
          : {
              status: 400,
              body: { error: "invalid_grant", error_description: `No: ${form["refresh_token"]}` },
            });
      outgoing.writeHead(status, { "content-type": "application/json" });
      outgoing.end(JSON.stringify(body));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clock = createFakeClock();
  const learned: string[] = [];
  let refresh = "refresh-0";
  const token = createRenewedToken({
    tokenUrl: `${origin}/token`,
    clientId: "me",
    clientSecret: () => "shh",
    refreshToken: () => refresh,
    keep: (next) => void (refresh = next),
    learnSecret: (value) => void learned.push(value),
    fetch: openFetch({ allowPrivate: [origin] }).fetch,
    clock,
  });
  return { asked, clock, learned, token, forced, set: (value: string) => void (refresh = value) };
}

test("[J178] an access token is used until shortly before its end, then renewed with the newest refresh token", async () => {
  const { asked, clock, learned, token } = await openProvider();
  expect(await token(live)).toBe("tok-1");
  await clock.advance(3_500_000);
  expect(await token(live)).toBe("tok-1");
  await clock.advance(50_000);
  expect(await token(live)).toBe("tok-2");
  expect(asked.map(({ refresh_token }) => refresh_token)).toEqual(["refresh-0", "refresh-1"]);
  expect(learned).toEqual(["tok-1", "refresh-1", "tok-2", "refresh-2"]);
});

test("[J178] a sign-in that has ended asks for another; what the provider says in words is not told", async () => {
  const { token, set, forced } = await openProvider();
  set("refresh-gone");
  const failure: unknown = await token(live).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    code: "source_refused",
    message: expect.stringMatching(/answered invalid_grant$/),
    hint: expect.stringContaining("Sign in at the provider again"),
  });
  expect((failure as Error).message).not.toContain("refresh-gone");
  forced.push({ status: 503, body: {} });
  await expect(token(live)).rejects.toMatchObject({ code: "source_unreachable" });
  set("refresh-0");
  expect(await token(live)).toMatch(/^tok-/);
});

test("[J178] a mailbox is signed in to with a token that was just renewed", async () => {
  const { token } = await openProvider();
  const world = await openMailWorld({ accessToken: "tok-1", capabilities: ["IDLE", "AUTH=XOAUTH2"] });
  const life = world.open({}, async (signal) => ({ kind: "accessToken", value: await token(signal) }));
  await eventually(() => expect(life.isWatching()).toBe(true));
  await life.close();
});
