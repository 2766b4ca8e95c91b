import { readFileSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { createConnection } from "../connection.ts";
import { inspectServer } from "../review.ts";
import { live } from "./mcp.fixture.ts";
import { follow, serveLocked, setUpSignIn } from "./sign-in.fixture.ts";

test("[TM11] GC47 signing in uses PKCE, returns to one exact local address, and is for this server only", async () => {
  const { signIn, locked, file, learnt, signInNow } = await setUpSignIn();
  expect((await signInNow()).definitions).toHaveLength(1);
  const [asked] = signIn.at("/authorize");
  expect(asked?.query.get("code_challenge_method")).toBe("S256");
  expect(asked?.query.get("redirect_uri")).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  expect(asked?.query.get("state")?.length).toBeGreaterThan(20);
  expect(asked?.query.get("resource")).toBe(locked.url.href);
  expect(new URLSearchParams(signIn.at("/token")[0]?.body).get("resource")).toBe(locked.url.href);
  // Headers from the settings go only to the server, and only the user can read the token.
  expect(locked.keys).toContain("for the server");
  expect(
    signIn.seen.every(({ headers }) => headers["x-key"] === undefined && headers.authorization === undefined),
  ).toBe(true);
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(readFileSync(file, "utf8")).toContain("access-1");
  expect(learnt).toContain("access-1");
});

test("[TM11] GC47 ignores an answer with another state, or on another path", async () => {
  const { signInNow } = await setUpSignIn();
  const refused: number[] = [];
  const listing = await signInNow(async (url) => {
    const back = new URL(url.searchParams.get("redirect_uri") ?? "");
    for (const [path, state] of [
      ["/callback", "forged"],
      ["/other", url.searchParams.get("state") ?? ""],
      ["/callback", ""],
    ] as const) {
      const forged = new URL(path, back);
      forged.searchParams.set("code", "stolen");
      forged.searchParams.set("state", state);
      refused.push((await fetch(forged)).status);
    }
    await follow(url);
  });
  expect(refused).toEqual([400, 400, 400]);
  expect(listing.definitions).toHaveLength(1);
});

test("[TM11] GC47 never sends tokens for one address to another", async () => {
  const { signIn, open, signInNow } = await setUpSignIn();
  await signInNow();
  const other = await serveLocked(signIn);
  await expect(inspectServer(open(other.url), live)).rejects.toMatchObject({ code: "mcp_unauthorized" });
  expect(other.tokens).toEqual([]);
});

test("[TM11] refreshes a token in the background once for all, and asks nobody", async () => {
  const { signIn, locked, open, signInNow } = await setUpSignIn();
  await signInNow();
  await using connection = createConnection(open(locked.url));
  const call = () =>
    connection.request({ signal: live }, (client, options) =>
      client.callTool({ name: "get_it", arguments: {} }, options),
    );
  await call();
  signIn.issued.access = "the old one does not count any more";
  await Promise.all([call(), call(), call(), call()]);
  const grants = signIn.at("/token").map(({ body }) => new URLSearchParams(body).get("grant_type"));
  expect(grants).toEqual(["authorization_code", "refresh_token"]);
  signIn.issued.access = "";
  signIn.issued.refresh = "";
  await expect(call()).rejects.toMatchObject({
    code: "mcp_unauthorized",
    hint: expect.stringContaining("deputy tools auth shop"),
  });
  expect(signIn.at("/register")).toHaveLength(1);
});

test("[TM11] reports a server without a sign-in, and registers nothing with it", async () => {
  const { signIn, locked, open } = await setUpSignIn();
  await expect(inspectServer(open(locked.url), live)).rejects.toMatchObject({ code: "mcp_unauthorized" });
  expect(signIn.seen).toEqual([]);
});

test.each(["metadata", "token"] as const)(
  "[TM11] a sign-in whose %s hangs ends with a clear error",
  async (hangs) => {
    const { signInNow } = await setUpSignIn({ hangs });
    await expect(signInNow()).rejects.toMatchObject({ name: "ToolsError" });
  },
);
