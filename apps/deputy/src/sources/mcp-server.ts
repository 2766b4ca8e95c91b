import { resolve } from "node:path";
import { canonicalJson } from "@deputy/policy/canonical-json";
import type { NetAudit } from "@deputy/net";
import { type McpTransport, type OAuthSettings, type PinStore } from "@deputy/source-mcp";
import { createHttpTransports, createServerFetch } from "@deputy/source-mcp/http";
import { createOAuthProvider } from "@deputy/source-mcp/oauth";
import { createChildTransports, createPinFile, createSignInFile, scrubbedEnv } from "@deputy/source-mcp/node";
import { createGuardedFetch } from "@deputy/net/node";
import { isSecretReference, resolveSecret } from "../config/secret-reference.ts";
import type { McpSettings } from "../config/tool-source-schema.ts";
import { sha256 } from "./spec-place.ts";

/** An MCP server of the settings: its stored state, and the ways to connect to it. */
export interface McpServer {
  readonly name: string;
  /** Identifies what would be started or connected to; see `Pins.target`. */
  readonly target: string;
  readonly store: PinStore;
  /** True when it can require signing in, over HTTP. */
  readonly signsIn: boolean;
  /** `browser`: the place to send the user to sign in. Without it, the user is not asked. */
  transports(browser?: Browser): () => Promise<McpTransport>;
}

type Browser = NonNullable<Parameters<typeof createOAuthProvider>[0]["browser"]>;

export interface McpServerDeps {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly audit: NetAudit;
  readonly learnSecret: (value: string) => void;
}

/** Streams may be silent for as long as a call may take; requests that must be quick have their own limits. */
const STREAM_LIMITS = { idleMs: 3_600_000, totalMs: 86_400_000, bodyBytes: 64 * 1024 * 1024 };

/** Reads and starts nothing yet. */
export function openMcpServer(settings: McpSettings, deps: McpServerDeps): McpServer {
  const { name, url } = settings;
  const folder = resolve(deps.home, "mcp");
  return {
    name,
    target: targetOf(settings),
    store: createPinFile(resolve(folder, `${name}.json`)),
    signsIn: url !== undefined && oauthOf(settings) !== undefined,
    transports: (browser) =>
      url === undefined
        ? childTransports(settings, deps)
        : httpTransports(settings, new URL(url), deps, browser),
  };
}

/** It includes the places of secrets, but not the secrets. */
function targetOf({ command, args = [], env = {}, cwd, url, headers = {} }: McpSettings): string {
  return sha256(
    canonicalJson(url === undefined ? { command, args, env, cwd: cwd ?? null } : { url, headers }),
  );
}

function childTransports(settings: McpSettings, deps: McpServerDeps): () => Promise<McpTransport> {
  const { command = "", args = [], env = {}, cwd = "." } = settings;
  return createChildTransports(() => ({
    command,
    args,
    cwd: resolve(deps.home, cwd),
    env: { ...scrubbedEnv(deps.env), ...resolveAll(env, deps) },
  }));
}

function httpTransports(
  settings: McpSettings,
  url: URL,
  deps: McpServerDeps,
  browser: Browser | undefined,
): () => Promise<McpTransport> {
  const { name, headers = {}, auth, origins = [] } = settings;
  const guarded = createGuardedFetch({
    audit: deps.audit,
    allowPrivate: [url.origin, ...origins],
    limits: STREAM_LIMITS,
  });
  const fetch = createServerFetch({
    url,
    fetch: guarded,
    headers: () => ({
      ...resolveAll(headers, deps),
      ...(typeof auth === "object" && auth.type === "bearer"
        ? { authorization: `Bearer ${secretOf(auth.token, deps)}` }
        : {}),
    }),
  });
  const oauth = oauthOf(settings);
  if (oauth === undefined) return createHttpTransports({ url, fetch });
  const provider = createOAuthProvider({
    name,
    url,
    settings: { ...oauth, clientSecret: secretSource(oauth.clientSecret, deps) } satisfies OAuthSettings,
    store: createSignInFile(resolve(deps.home, "mcp", `${name}.sign-in.json`)),
    learnSecret: deps.learnSecret,
    ...(browser === undefined ? {} : { browser }),
  });
  const mode = browser === undefined ? "background" : "interactive";
  return createHttpTransports({ url, fetch, auth: { mode, provider } });
}

type OAuth = Exclude<NonNullable<McpSettings["auth"]>, string> & { type: "oauth" };

export function oauthOf({ auth }: McpSettings): OAuth | undefined {
  if (auth === "oauth") return { type: "oauth" };
  return auth?.type === "oauth" ? auth : undefined;
}

function secretSource(reference: string | undefined, deps: McpServerDeps): (() => string) | undefined {
  return reference === undefined ? undefined : () => secretOf(reference, deps);
}

function secretOf(reference: string, { env, home, learnSecret }: McpServerDeps): string {
  const value = resolveSecret(reference, env, home);
  learnSecret(value);
  return value;
}

/** Read when they are used. */
function resolveAll(values: Readonly<Record<string, string>>, deps: McpServerDeps): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      isSecretReference(value) ? secretOf(value, deps) : value,
    ]),
  );
}
