import { createHash, randomBytes } from "node:crypto";
import { createGateway, type Gateway, type Hook, type SetupDoor, type SignInStore } from "@deputy/gateway";
import { loadPageFiles } from "@deputy/web/files";
import { AppError } from "../app-error.ts";
import { createAuditDoor } from "../audit/audit-door.ts";
import { createBackgroundDoor } from "./background-door.ts";
import { noteApplied, openRecordedWorkspace } from "../builtins/workspace-directory.ts";
import { findBundleLayout } from "../bundle-layout.ts";
import { overrideOf } from "../config/overrides.ts";
import { resolveSecret } from "../config/secret-reference.ts";
import { showable } from "../config/secret-places.ts";
import { schemaAt, valueAt } from "../config/settings.ts";
import type { Engine } from "../engine.ts";
import { assertPrivate, type Home } from "../home.ts";
import { watchHooks } from "../hooks/watch-hooks.ts";
import type { Channels } from "@deputy/tasks";
import type { BundleFetch } from "@deputy/bundles/node";
import type { NetAudit } from "@deputy/net";
import type { RpcParams, RpcResult } from "@deputy/protocol/rpc";
import { createNetAudit } from "../net-audit.ts";
import { openSlashCommands } from "../own-services/open-slash-commands.ts";
import { openSignInsFile } from "./sign-ins-file.ts";
import { watchToken } from "../token.ts";
import type { SetupDeps } from "../setup-door/setup-deps.ts";
import { VERSION } from "../version.ts";
import { findNpmRegistry } from "../bundles/npm-registry.ts";
import { fetchForBundles, fetchForScripts } from "../bundles/ways-out.ts";

export interface AddressOptions {
  readonly host?: string;
  readonly port?: string;
}

/**
 * What a gateway needs in addition to an engine. It is prepared before the home is locked, so that its problems are
 * reported first.
 */
export interface GatewayPlan {
  readonly host: string;
  readonly port: number;
  /** The address may be one that others can reach: in a container, its engine decides who does. */
  readonly allowRemote: boolean;
  readonly origins: readonly string[];
  readonly token: () => string;
  /** Calls `learn` with their secrets before they are used. */
  readonly hooks: (learn: (secret: string) => void) => readonly Hook[];
  readonly page: ReturnType<typeof loadPageFiles>["files"];
  readonly home: Home;
  readonly readSetting: (key: string | undefined) => unknown;
  readonly signIns: SignInStore;
}

/**
 * Throws `usage` for an invalid address, `home_unusable` for a home that others can read, `token_invalid` and
 * `hooks_invalid`.
 */
export async function planGateway(
  home: Home,
  options: AddressOptions,
  env: NodeJS.ProcessEnv,
  warn: (text: string) => void,
): Promise<GatewayPlan> {
  assertPrivate(home.directory);
  const address = chooseAddress(home, options, env);
  const token = watchToken(home.directory, env);
  const hooks = watchHooks({ home: home.directory, env, warn });
  const { files: page, missing } = loadPageFiles(findBundleLayout().page);
  if (missing !== undefined) warn(missing);
  const readSetting = (key: string | undefined): unknown => settingInForce(home, key, env);
  const { origins } = home.config.gateway;
  const signIns = openSignInsFile(home.directory, warn);
  return {
    ...address,
    origins,
    token,
    hooks,
    page,
    readSetting,
    signIns,
    home,
  };
}

/** The same for whatever has texts in it. */
function redacting(redact: (text: string) => string): <T>(value: T) => T {
  return (value) =>
    JSON.parse(JSON.stringify(value), (_key, one: unknown) => (typeof one === "string" ? redact(one) : one));
}

/** The gateway of an engine; it opens with `listen`. */
export function gatewayOver(
  engine: Engine,
  plan: GatewayPlan,
  onBug: (error: unknown) => void,
  /** Absent: nothing can be changed from there. */
  changes?: Pick<SetupDeps, "home" | "env" | "refusal"> & { readonly restart: () => void },
): Gateway {
  const { log, tasks, approvals, grants, clock } = engine;
  const { agents, defaultAgent, sessions, conversations, blobs, inbox, catalogue, programTools, memory } =
    engine;
  // Every current token must be redacted: a new one is learned at its first use.
  const token = (): string => {
    const current = plan.token();
    if (current !== "") engine.learnSecret(current);
    return current;
  };
  const { home, ...served } = plan;
  let setup: Promise<SetupDoor> | undefined;
  let channels: Promise<Channels> | undefined;
  return createGateway({
    log,
    background: createBackgroundDoor({ home, log, clock, reminders: engine.reminders }),
    audit: createAuditDoor({ directory: home.directory, clock, onBug }),
    trouble: engine.trouble,
    workspace: () => openRecordedWorkspace(home, log, "gateway"),
    noteApplied: (counted, signal) => noteApplied(home, log, counted, signal),
    fetch: createNetDoor(
      home,
      createNetAudit({
        log,
        redactor: { json: redacting(engine.redact) },
        warn: (text) => onBug(new Error(text)),
      }).note,
    ),
    tasks,
    approvals,
    grants,
    agents,
    defaultAgent,
    sessions,
    conversations,
    blobs,
    inbox,
    catalogue,
    programTools,
    memory,
    slashCommands: openSlashCommands(home.directory),
    redact: engine.redact,
    demo: engine.demo,
    channels: () => (channels ??= openChannelRecords(engine)),
    clock,
    ...served,
    allowedHosts: pageHosts(home),
    hooks: () => plan.hooks(engine.learnSecret),
    token,
    version: VERSION,
    metricsToken: () => metricsTokenOf(home, changes?.env ?? process.env, engine.learnSecret, onBug),
    restart: changes?.restart,
    setup: changes && (() => (setup ??= openSetupDoor({ ...engine, ...changes }))),
    onBug,
  });
}

/** Shorter ones could be guessed. */
const SHORTEST_TOKEN = 16;

/** Read at each request: a new one counts at once. One that cannot be read, or is too short, opens nothing. */
function metricsTokenOf(
  { config, directory }: Home,
  env: NodeJS.ProcessEnv,
  learn: (secret: string) => void,
  onBug: (error: unknown) => void,
): string | undefined {
  const { metricsToken: reference = "" } = config.gateway;
  if (reference === "") return undefined;
  try {
    const token = resolveSecret(reference, env, directory);
    learn(token);
    if (token.length >= SHORTEST_TOKEN) return token;
    throw new AppError("token_invalid", `${reference}: a token has ${SHORTEST_TOKEN} characters or more`);
  } catch (error) {
    onBug(error);
    return undefined;
  }
}

/** The page's own address behind a proxy, if the owner has named one. */
function pageHosts({ config }: Home): readonly string[] {
  const { pageUrl } = config.notifications;
  return pageUrl === undefined ? [] : [new URL(pageUrl).host];
}

async function openChannelRecords({ patientLog, clock, outbox }: Engine): Promise<Channels> {
  const { createLogChannels } = await import("@deputy/tasks/channels");
  const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
  const records = createLogChannels({ log: patientLog, clock, sha256, randomBytes });
  return {
    ...records,
    // Mail and push have no conversations: what they did not take is in the outbox.
    failed: async (channel) => [
      ...(await records.failed(channel)),
      ...(await outbox.failed(channel)).map(({ key: item, reason, at }) => ({ item, reason, at })),
    ],
    retry: async (channel) => (await records.retry(channel)) + (await outbox.retry(channel)),
  };
}

async function openSetupDoor(deps: SetupDeps): Promise<SetupDoor> {
  return (await import("../setup-door/create-setup-door.ts")).createSetupDoor(deps);
}

/** The value that `deputy config get` shows; undefined for an unknown setting, null for one that is not set. */
function settingInForce(home: Home, key: string | undefined, env: NodeJS.ProcessEnv): unknown {
  const path = key === undefined ? [] : key.split(".");
  if (schemaAt(path) === undefined) return undefined;
  const value = overrideOf(path, env)?.value ?? valueAt(home.config, path);
  return showable(value, path) ?? null;
}

function chooseAddress(
  home: Home,
  options: AddressOptions,
  env: NodeJS.ProcessEnv,
): Pick<GatewayPlan, "host" | "port" | "allowRemote"> {
  const host = options.host || env["DEPUTY_HOST"] || home.config.gateway.host;
  // No setting: nothing that can write the file opens the daemon to others.
  const allowRemote = env["DEPUTY_ALLOW_REMOTE"] === "true";
  const named = options.port ?? (env["DEPUTY_PORT"] || undefined);
  if (named === undefined) return { host, port: home.config.gateway.port, allowRemote };
  const port = Number(named);
  if (/^\d+$/.test(named) && port <= 65_535) return { host, port, allowRemote };
  throw new AppError("usage", `“${named}” is not a port`, {
    hint: "Give a number from 0 to 65535; 0 takes any free one.",
  });
}

/** What a command is given in one answer of the daemon; the largest program that we know of has 30 MB. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The daemon asks for commands of its owner, as they would themselves, and writes it down. */
function createNetDoor(
  home: Pick<Home, "directory" | "config">,
  audit: NetAudit,
): (request: RpcParams<"net.fetch">, signal: AbortSignal) => Promise<RpcResult<"net.fetch">> {
  const wayOut = async (
    way: "scripts" | "bundles",
    signal: AbortSignal,
  ): Promise<BundleFetch | undefined> => {
    const { hosts } = home.config.tools.shell;
    if (way === "scripts") return hosts.length === 0 ? undefined : await fetchForScripts(hosts, audit);
    return await fetchForBundles(home, await findNpmRegistry(home, signal), audit, { bodyBytes: MOST_BYTES });
  };
  return async ({ way, body, ...request }, signal) => {
    const { askHost } = await import("@deputy/contained-shell/node");
    const sent = body === undefined ? undefined : new Uint8Array(Buffer.from(body, "base64"));
    const answer = await askHost(await wayOut(way, signal), { ...request, body: sent }, signal);
    if (answer.kind === "failed") return { answer };
    const headers = answer.headers.map(([name, value]): [string, string] => [name, value]);
    return { answer: { ...answer, headers, body: Buffer.from(answer.body).toString("base64") } };
  };
}
