import { existsSync, readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createConnection } from "../connection.ts";
import { live } from "./mcp.fixture.ts";
import type { SignInOptions } from "./oauth.fixture.ts";
import { setUpSignIn } from "./sign-in.fixture.ts";

const TOKEN = "/token";
const ELSEWHERE = "https://evil.example";
const isSaved = (file: string): boolean =>
  existsSync(file) && readFileSync(file, "utf8").includes("access_token");

/** A server in the user's network that is not in the settings. */
async function servePrivate() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ access_token: "stolen", token_type: "Bearer" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { asked, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Begins a JSON object and sends 100 MB of it, as fast as the reader takes it. */
function pour(response: ServerResponse, sent: { bytes: number }): true {
  const piece = " ".repeat(1024 * 1024);
  let left = 100;
  response.writeHead(200, { "content-type": "application/json" });
  response.write("{");
  const more = (): void => {
    if (response.destroyed) return;
    if (left-- <= 0) return void response.end("}");
    sent.bytes += piece.length;
    if (response.write(piece)) setImmediate(more);
    else response.once("drain", more);
  };
  response.on("error", () => undefined);
  more();
  return true;
}

test.each<[string, SignInOptions]>([
  ["names another issuer", { metadata: { issuer: ELSEWHERE } }],
  [
    "is answered for by another issuer",
    {
      metadata: { authorization_response_iss_parameter_supported: true },
      changeAnswer: (back) => back.searchParams.set("iss", ELSEWHERE),
    },
  ],
  [
    "promises to say who answers, and does not",
    { metadata: { authorization_response_iss_parameter_supported: true } },
  ],
  ["brings back a code of somebody else's", { changeAnswer: (back) => back.searchParams.set("code", "1") }],
  [
    "brings back an error",
    {
      changeAnswer(back) {
        back.searchParams.delete("code");
        back.searchParams.set("error", "access_denied");
      },
    },
  ],
])("[TM11] GC47 a sign-in that %s ends with a clear error and no token", async (_what, options) => {
  const { signIn, file, signInNow } = await setUpSignIn(options);
  await expect(signInNow()).rejects.toMatchObject({
    code: "mcp_unauthorized",
    message: expect.stringMatching(/^shop: signing in failed: ./),
  });
  expect(signIn.issued.count).toBe(0);
  expect(isSaved(file)).toBe(false);
});

test("[TM11] GC47 does not send the user to a sign-in without PKCE by S256", async () => {
  const { signIn, file, signInNow } = await setUpSignIn({
    metadata: { code_challenge_methods_supported: ["plain"] },
  });
  await expect(signInNow()).rejects.toMatchObject({
    name: "ToolsError",
    message: expect.stringContaining("S256"),
  });
  expect(signIn.at("/authorize")).toEqual([]);
  expect(isSaved(file)).toBe(false);
});

test.each([301, 302, 307, 308])(
  "[TM11] GC47 sends nothing on when a token server redirects elsewhere (%i)",
  async (status) => {
    const inner = await servePrivate();
    const { file, signInNow } = await setUpSignIn({
      answers(path, response) {
        if (path !== TOKEN) return false;
        response.writeHead(status, { location: `${inner.origin}/token` }).end();
        return true;
      },
    });
    await expect(signInNow()).rejects.toMatchObject({ name: "ToolsError", code: "address_refused" });
    expect(inner.asked).toEqual([]);
    expect(isSaved(file)).toBe(false);
  },
);

test.each(["token_endpoint", "registration_endpoint"])(
  "[TM11] GC47 does not contact a %s in the user's network that the user did not name",
  async (endpoint) => {
    const inner = await servePrivate();
    const { file, signInNow } = await setUpSignIn({ metadata: { [endpoint]: `${inner.origin}/x` } });
    await expect(signInNow()).rejects.toMatchObject({ name: "ToolsError", code: "address_refused" });
    expect(inner.asked).toEqual([]);
    expect(isSaved(file)).toBe(false);
  },
);

test.each([
  ["metadata", "/.well-known/oauth-authorization-server"],
  ["token", TOKEN],
])("[TM11] does not read %s of 100 MB", async (_what, path) => {
  const sent = { bytes: 0 };
  const { file, signInNow } = await setUpSignIn({
    answers: (asked, response) => asked.startsWith(path) && pour(response, sent),
  });
  await expect(signInNow()).rejects.toMatchObject({
    code: "mcp_invalid",
    message: expect.stringContaining("more than 1048576 bytes"),
  });
  // Some of it is in the buffers of both sides.
  expect(sent.bytes).toBeLessThan(50 * 1024 * 1024);
  expect(isSaved(file)).toBe(false);
});

const refuse =
  (status: number, body: string, type = "application/json") =>
  (response: ServerResponse) =>
    void response.writeHead(status, { "content-type": type }).end(body);

test.each<[string, (response: ServerResponse) => void, "kept" | "gone"]>([
  ["refused", refuse(400, '{"error":"invalid_grant"}'), "gone"],
  ["refused for this client", refuse(401, '{"error":"invalid_client"}'), "gone"],
  ["failing", refuse(500, "out of order", "text/plain"), "kept"],
  ["nonsense", refuse(200, "<html>", "text/html"), "kept"],
  ["a hang", () => undefined, "kept"],
])("[TM11] a refresh that is %s says what to do, and asks nobody", async (_what, answer, tokens) => {
  const { signIn, locked, file, open, signInNow } = await setUpSignIn({
    answers(path, response, form) {
      if (path !== TOKEN || form.get("grant_type") !== "refresh_token") return false;
      answer(response);
      return true;
    },
  });
  await signInNow();
  await using connection = createConnection(open(locked.url));
  const call = () =>
    connection.request({ signal: live }, (client, options) =>
      client.callTool({ name: "get_it", arguments: {} }, options),
    );
  await call();
  signIn.issued.access = "the old one does not count any more";
  await expect(call()).rejects.toMatchObject({
    code: "mcp_unauthorized",
    hint: expect.stringContaining("`deputy tools auth shop`"),
  });
  expect(isSaved(file)).toBe(tokens === "kept");
  expect(signIn.at("/authorize")).toHaveLength(1);
  expect(signIn.at("/register")).toHaveLength(1);
});
