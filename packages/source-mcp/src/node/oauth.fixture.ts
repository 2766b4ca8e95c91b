import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { textOf } from "./mcp.fixture.ts";

export interface SignInOptions {
  readonly hangs?: "token" | "metadata";
  /** Added to, or replaces, the server's metadata. */
  readonly metadata?: object;
  /** Of what the browser brings back. */
  readonly changeAnswer?: (back: URL) => void;
  /** Returns true if it has answered itself. */
  readonly answers?: (path: string, response: ServerResponse, form: URLSearchParams) => boolean;
}

/** A fake authorization server: registers anybody, signs in everybody, and records what it gets. */
export async function serveSignIn(options: SignInOptions = {}) {
  const seen: { path: string; query: URLSearchParams; body: string; headers: IncomingMessage["headers"] }[] =
    [];
  const codes = new Map<string, { challenge: string; redirectUri: string; resource: string }>();
  const redirects = new Set<string>();
  const issued = { access: "", refresh: "", count: 0 };
  // Only clients close idle connections: a busy one would use one that was just closed here.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => void answer(request, response));
  const json = (response: ServerResponse, body: object, status = 200): void =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  const issue = (): object => {
    issued.count += 1;
    issued.access = `access-${issued.count}`;
    issued.refresh = `refresh-${issued.count}`;
    return {
      access_token: issued.access,
      refresh_token: issued.refresh,
      token_type: "Bearer",
      expires_in: 3_600,
    };
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "", origin);
    const body = await textOf(request);
    seen.push({ path: url.pathname, query: url.searchParams, body, headers: request.headers });
    if (options.answers?.(url.pathname, response, new URLSearchParams(body)) === true) return;
    if (url.pathname.startsWith("/.well-known/oauth-authorization-server")) {
      if (options.hangs === "metadata") return;
      json(response, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ["code"],
        grant_types_supported: ["authorization_code", "refresh_token"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
        ...options.metadata,
      });
    } else if (url.pathname === "/register") {
      const asked = JSON.parse(body) as { redirect_uris: string[] };
      for (const uri of asked.redirect_uris) redirects.add(uri);
      json(response, { ...asked, client_id: `client-${redirects.size}` }, 201);
    } else if (url.pathname === "/authorize") {
      const redirectUri = url.searchParams.get("redirect_uri") ?? "";
      if (!redirects.has(redirectUri)) return json(response, { error: "invalid_request" }, 400);
      const code = `code-${codes.size + 1}`;
      const challenge = url.searchParams.get("code_challenge") ?? "";
      codes.set(code, { challenge, redirectUri, resource: url.searchParams.get("resource") ?? "" });
      const back = new URL(redirectUri);
      back.searchParams.set("code", code);
      back.searchParams.set("state", url.searchParams.get("state") ?? "");
      options.changeAnswer?.(back);
      response.writeHead(302, { location: back.href }).end();
    } else if (url.pathname === "/token") {
      if (options.hangs === "token") return;
      const form = new URLSearchParams(body);
      if (form.get("grant_type") === "refresh_token")
        return form.get("refresh_token") === issued.refresh
          ? json(response, issue())
          : json(response, { error: "invalid_grant" }, 400);
      const code = codes.get(form.get("code") ?? "");
      const verifier = form.get("code_verifier") ?? "";
      const isProved = code?.challenge === createHash("sha256").update(verifier).digest("base64url");
      if (!isProved || code?.redirectUri !== form.get("redirect_uri"))
        return json(response, { error: "invalid_grant" }, 400);
      json(response, issue());
    } else json(response, {}, 404);
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const at = (path: string) => seen.filter((one) => one.path === path);
  return { origin, seen, at, issued };
}
