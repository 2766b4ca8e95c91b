import { CodedError, createSystemClock, makeVisible } from "@deputy/kit";
import type { SeenSource } from "@deputy/protocol/rpc";
import { type Listing, pinServer } from "@deputy/source-mcp";
import { openLoopbackSignIn } from "@deputy/source-mcp/node";
import {
  declineListing,
  inspectServer,
  labelsOf,
  reviewListing,
  withOffered,
  standingOf,
} from "@deputy/source-mcp/review";
import { hashSpec, specStanding } from "@deputy/source-openapi/pins";
import { reviewSpec } from "@deputy/source-openapi/review-spec";
import { openApiSource } from "@deputy/source-openapi";
import { type CatalogueTool, createCatalogue } from "@deputy/tools";
import { AppError } from "../app-error.ts";
import type { McpSettings, OpenApiSettings } from "../config/tool-source-schema.ts";
import { loadSources, NOTHING_IS_CALLED } from "../load-catalogue.ts";
import { readSpecOf } from "../sources/load-openapi.ts";
import { type McpServer, oauthOf, openMcpServer } from "../sources/mcp-server.ts";
import { pinnedSpecOf } from "../sources/pinned-spec.ts";
import { isRemoteSpec, sha256 } from "../sources/spec-place.ts";
import { VERSION } from "../version.ts";
import type { SetupDeps } from "./setup-deps.ts";

export type Setting = string | McpSettings | OpenApiSettings;

/** What a source offers, and what becomes of the answer. */
export interface Seen {
  readonly seen: SeenSource;
  /** Keeps it as the user's approval, exactly as it was seen. */
  approve(): void;
  /** What differs from what was approved before cannot be called. */
  decline(): void;
}

type Deps = Pick<SetupDeps, "home" | "env" | "learnSecret">;

const clock = createSystemClock();

/** Asks a source what it offers. `show` is called with an address if the user must sign in there first. */
export async function lookAtSource(
  setting: Setting,
  deps: Deps,
  show: (url: URL) => void,
  signal: AbortSignal,
): Promise<Seen> {
  if (typeof setting === "string") return await lookAtPlugin(setting, deps, signal);
  return setting.type === "mcp"
    ? await lookAtServer(setting, deps, show, signal)
    : await lookAtSpec(setting, deps, signal);
}

export function serverOf(settings: McpSettings, { home, env, learnSecret }: Deps): McpServer {
  return openMcpServer(settings, { home: home.directory, env, audit: () => undefined, learnSecret });
}

/** Connects once. Rejects as a connection does. */
export async function listMcp(
  settings: McpSettings,
  deps: Deps,
  show: ((url: URL) => void) | undefined,
  signal: AbortSignal,
): Promise<Listing> {
  const server = serverOf(settings, deps);
  const common = { name: server.name, version: VERSION, clock };
  if (!server.signsIn || show === undefined)
    return await inspectServer({ ...common, openTransport: server.transports() }, signal);
  await using signIn = await openLoopbackSignIn(show, signal, oauthOf(settings)?.redirectPort);
  const openTransport = server.transports(signIn);
  return await inspectServer({ ...common, openTransport, signedIn: () => signIn.answered() }, signal);
}

async function lookAtServer(
  settings: McpSettings,
  deps: Deps,
  show: (url: URL) => void,
  signal: AbortSignal,
): Promise<Seen> {
  const { name } = settings;
  const { store, target } = serverOf(settings, deps);
  const found = await listMcp(settings, deps, show, signal);
  const standing = standingOf(store, target);
  const before = standing.kind === "pinned" ? standing.pins : undefined;
  const listing = withOffered(found, before, target);
  const { texts, changes } = reviewListing(sha256, before, listing);
  const changed = new Map(
    changes.map((change) => [change.kind === "gone" ? change.name : change.definition.name, change.kind]),
  );
  const there = listing.definitions.map((definition) => ({
    path: `${name}.${makeVisible(definition.name)}`,
    description: makeVisible(definition.description ?? ""),
    ...labelsFor(labelsOf(definition)),
    change: changed.get(definition.name) ?? ("same" as const),
  }));
  const gone = changes.flatMap((change) => (change.kind === "gone" ? [change.name] : []));
  return {
    seen: {
      name,
      title: makeVisible(`${listing.server.name} ${listing.server.version}`.trim()),
      where: whereIs(settings),
      notes: notesOfServer(settings),
      tools: [...there, ...gone.map((one) => goneTool(`${name}.${makeVisible(one)}`))],
      texts: [...texts],
      isSame: before !== undefined && texts.length === 0,
    },
    approve: () => pinServer({ store, sha256, clock }, target, listing),
    decline: () => declineListing({ store, sha256 }, target, listing),
  };
}

function notesOfServer({ command, args = [], url, auth, headers = {} }: McpSettings): string[] {
  if (url === undefined)
    return [`It runs a program on this machine, as you: ${makeVisible([command, ...args].join(" "))}`];
  const secrets = auth !== undefined || Object.keys(headers).length > 0 ? ", with your credentials" : "";
  return [`What is sent to its tools goes to ${new URL(url).origin}${secrets}.`];
}

async function lookAtSpec(settings: OpenApiSettings, deps: Deps, signal: AbortSignal): Promise<Seen> {
  const { directory } = deps.home;
  const read = { ...NOTHING_IS_CALLED, home: directory, signal, clock };
  const { root, location } = await readSpecOf(settings, read);
  const closed = (): Promise<never> => Promise.reject(new Error("Nothing is called"));
  const doors = { named: closed, others: closed };
  const given = { location, ...(settings.name === undefined ? {} : { name: settings.name }) };
  const source = openApiSource(root, given, { doors, clock, learnSecret: deps.learnSecret });
  const name = settings.name ?? source.source;
  const tools = createCatalogue([source]).list();
  if (tools.length === 0) throw new AppError("not_available", "The document has no operations");
  const pinned = isRemoteSpec(settings.spec) ? pinnedSpecOf({ ...settings, name }, directory) : undefined;
  const standing = pinned === undefined ? undefined : specStanding(pinned.store, pinned.target);
  const before = standing?.kind === "pinned" ? standing.pins : undefined;
  const { title, origins, texts } = reviewSpec(before?.document, root, location);
  const secrets = settings.auth === undefined ? "" : ", with your credentials";
  const to = settings.server ?? (origins.length > 0 ? origins.join(", ") : location.origin);
  return {
    seen: {
      name,
      title,
      where: whereIs(settings),
      notes: [`Its calls go to ${makeVisible(to)}${secrets}.`],
      tools: tools.map((tool) => shownTool(tool, before === undefined ? "new" : "same")),
      texts: [...texts],
      isSame: before !== undefined && texts.length === 0,
    },
    approve: () =>
      pinned?.store.write({
        version: 1,
        target: pinned.target,
        pinnedAt: new Date(clock.now()).toISOString(),
        origins: [...origins],
        hash: hashSpec(sha256, root),
        document: root,
      }),
    decline: () => undefined,
  };
}

/** Runs the plugin's code, in a process of its own. */
async function lookAtPlugin(file: string, deps: Deps, signal: AbortSignal): Promise<Seen> {
  await using opened = new AsyncDisposableStack();
  const problems: string[] = [];
  const sources = await loadSources([file], {
    home: deps.home.directory,
    env: deps.env,
    signal,
    ...NOTHING_IS_CALLED,
    warn: (text) => void problems.push(text),
    own: (resource) => void opened.use(resource),
  }).catch((error: unknown) => {
    // Its own hint is about one that is connected.
    if (!(error instanceof CodedError) || error.code !== "plugin_failed") throw error;
    throw new AppError("not_available", error.message, {
      cause: error,
      hint: "Nothing was changed. Correct the plugin, and look again.",
    });
  });
  const tools = createCatalogue(sources).list();
  if (tools.length === 0)
    throw new AppError("not_available", problems[0] ?? "The plugin has no tools", {
      hint: "Nothing was changed.",
    });
  return {
    seen: {
      name: file,
      title: "",
      where: file,
      notes: ["Its code runs on this machine, as you.", ...problems],
      tools: tools.map((tool) => shownTool(tool, "new")),
      texts: [],
      isSame: false,
    },
    approve: () => undefined,
    decline: () => undefined,
  };
}

export function whereIs(setting: Setting): string {
  if (typeof setting === "string") return makeVisible(setting);
  if (setting.type === "openapi") return makeVisible(setting.spec);
  return makeVisible(setting.url ?? [setting.command, ...(setting.args ?? [])].join(" "));
}

function shownTool(
  { path, description, effect, approval }: CatalogueTool,
  change: SeenSource["tools"][number]["change"],
): SeenSource["tools"][number] {
  return { path: makeVisible(path), description: makeVisible(description), effect, approval, change };
}

function labelsFor({ effect, approval }: { readonly effect: string; readonly approval: string }) {
  return { effect, approval };
}

function goneTool(path: string): SeenSource["tools"][number] {
  return { path, description: "", effect: "read", approval: "auto", change: "gone" };
}
