import type { Clock } from "@deputy/kit";
import { readToolPattern } from "@deputy/policy/patterns";
import type { ToolSource, ReadyTool, ToolTree } from "@deputy/tools";
import { fieldOf, textOf } from "@deputy/json-schema";
import type { AuthSettings, SecretSource, Authorizer, Credentials } from "./auth/credentials.ts";
import type { FixedHeader } from "./call-operation.ts";
import { operationTool, type OperationToolDeps } from "./operation-tool.ts";
import type { HttpDoors } from "./request/http-doors.ts";
import { isLocal, serverAddresses } from "./request/server-address.ts";
import { listOperations } from "./spec/list-operations.ts";
import { nameOperations, shortNames, toName } from "./spec/name-operations.ts";
import { openDocument } from "./spec/spec-document.ts";
import { encodeBasic } from "./auth/encode-basic.ts";
import type { TokenDeps, TokenSource } from "./auth/oauth-token.ts";

export interface OpenApiOptions {
  /** Its namespace in `tools`; default from the document's title. */
  readonly name?: string | undefined;
  /** Where the document came from; servers with relative addresses are relative to it. */
  readonly location?: URL | undefined;
  /** Replaces all servers of the document. */
  readonly server?: string | undefined;
  /** More origins that calls may go to, with credentials. */
  readonly origins?: readonly string[] | undefined;
  /** Origins that the document names and that the user agreed to in a review. */
  readonly confirmed?: readonly string[] | undefined;
  /** The hash of the document that the user agreed to, where it is pinned. */
  readonly pin?: string | undefined;
  readonly auth?: AuthSettings | undefined;
  /** Sent with every request: a text, or where a secret is found. */
  readonly headers?: Readonly<Record<string, string | SecretSource>> | undefined;
  /** Patterns of operations as they are named, such as `issues.*`; default all. */
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly timeoutMs?: number | undefined;
  readonly maxResponseBytes?: number | undefined;
  readonly misfits?: "noted" | "refused" | undefined;
}

export interface OpenApiDeps {
  readonly doors: HttpDoors;
  readonly clock: Pick<Clock, "monotonicMs" | "sleep">;
  /** Called with secrets that are obtained while working, such as access tokens. */
  readonly learnSecret: (value: string) => void;
}

const TIMEOUT_MS = 60_000;

const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;

const DEFAULT_NAME = "api";

/**
 * A document's operations as tools: `tools.<name>.<tag>.<operation>`. Reads only their names; an
 * operation's schemas are made at the first use. The tree is empty if no operation is left. Throws `spec_invalid`.
 */
export function openApiSource(root: unknown, options: OpenApiOptions, deps: OpenApiDeps): ToolSource {
  const document = openDocument(root);
  const title = textOf(fieldOf(document.root["info"], "title")) ?? "";
  const name = options.name ?? (toName(title).slice(0, 32) || DEFAULT_NAME);
  const { auth, timeoutMs = TIMEOUT_MS } = options;
  const toolDeps: OperationToolDeps = {
    document,
    describedBy: `openapi:${name}`,
    documentId: options.pin ?? options.location?.href ?? "",
    authKind: authKindOf(auth),
    definitions: { name, root: document.root },
    addresses: serverAddresses(document, options),
    doors: deps.doors,
    authorizer: createAuthorizer(auth, { ...deps, fetch: deps.doors.named }),
    headers: fixedHeaders(options.headers ?? {}),
    clock: deps.clock,
    timeoutMs,
    // An endless stream returns what arrived, before the call itself times out.
    maxStreamMs: timeoutMs / 2,
    maxResponseBytes: options.maxResponseBytes ?? MAX_RESPONSE_BYTES,
    misfits: options.misfits ?? "noted",
    wordsOf: isLocal(options.location) ? "user" : "others",
    isSupplied: ({ name: parameter, place }) => isSupplied(auth, options.headers ?? {}, parameter, place),
  };
  const operations = listOperations(document);
  const places = nameOperations(operations);
  const shorts = shortNames(places);
  const isWanted = patternsOf(options);
  const groups = new Map<string, ReadyTool | Map<string, ReadyTool>>();
  for (const [at, operation] of operations.entries()) {
    const [group = "", own] = places[at] ?? [];
    if (!isWanted(own === undefined ? group : `${group}.${own}`)) continue;
    const short = shorts[at];
    const alias = short === undefined ? {} : { alias: `${name}.${group}.${short}` };
    const tool = operationTool({ ...toolDeps, ...alias }, operation);
    if (own === undefined) groups.set(group, tool);
    else {
      const tools = groups.get(group);
      if (tools instanceof Map) tools.set(own, tool);
      else groups.set(group, new Map([[own, tool]]));
    }
  }
  const tree = Object.fromEntries(
    [...groups].map(([group, tools]) => [group, tools instanceof Map ? Object.fromEntries(tools) : tools]),
  ) satisfies ToolTree;
  return { source: name, tree: groups.size === 0 ? {} : { [name]: tree } };
}

function patternsOf({ include, exclude = [] }: OpenApiOptions): (path: string) => boolean {
  const [within, without] = [include?.map(readToolPattern), exclude.map(readToolPattern)];
  return (path) =>
    (within === undefined || within.some((pattern) => pattern.fits(path))) &&
    !without.some((pattern) => pattern.fits(path));
}

function fixedHeaders(
  headers: Readonly<Record<string, string | SecretSource>>,
): () => readonly FixedHeader[] {
  return () =>
    Object.entries(headers).map(([name, value]) =>
      typeof value === "string" ? { name, value, isSecret: false } : { name, value: value(), isSecret: true },
    );
}

/** The caller does not give a key that is in the settings. */
function isSupplied(
  auth: AuthSettings | undefined,
  headers: Readonly<Record<string, unknown>>,
  name: string,
  place: string,
): boolean {
  if (place === "header" && Object.keys(headers).some((own) => own.toLowerCase() === name.toLowerCase()))
    return true;
  return auth?.type === "apiKey" && auth.in === place && auth.name.toLowerCase() === name.toLowerCase();
}

function authKindOf(auth: AuthSettings | undefined): string {
  if (auth?.type === "oauth2") return `oauth2 ${auth.tokenUrl} ${auth.clientId} ${auth.scopes.join(" ")}`;
  return auth?.type === "apiKey" ? `apiKey ${auth.in} ${auth.name}` : (auth?.type ?? "none");
}

/** Credentials of each kind; none without settings. */
function createAuthorizer(auth: AuthSettings | undefined, deps: TokenDeps): Authorizer {
  if (auth === undefined) return { credentials: () => Promise.resolve([]), refused: () => false };
  if (auth.type === "oauth2") {
    let tokens: TokenSource | undefined;
    return {
      async credentials(signal) {
        const { createTokenSource } = await import("./auth/oauth-token.ts");
        tokens ??= createTokenSource(auth, deps);
        return [bearer(await tokens.token(signal))];
      },
      refused: () => tokens?.forget() ?? false,
    };
  }
  return { credentials: async () => [await Promise.resolve(fixed(auth))], refused: () => false };
}

function fixed(auth: Exclude<AuthSettings, { type: "oauth2" }>): Credentials {
  switch (auth.type) {
    case "bearer":
      return bearer(auth.token());
    case "basic": {
      const plain = auth.credentials();
      const encoded = encodeBasic(plain);
      const password = plain.slice(plain.indexOf(":") + 1);
      return { ...authorization(`Basic ${encoded}`), secrets: [plain, encoded, password] };
    }
    default: {
      const key = auth.key();
      return { place: auth.in, name: auth.name, value: key, secrets: [key] };
    }
  }
}

function bearer(token: string): Credentials {
  return { ...authorization(`Bearer ${token}`), secrets: [token] };
}

function authorization(value: string): Pick<Credentials, "place" | "name" | "value"> {
  return { place: "header", name: "authorization", value };
}
