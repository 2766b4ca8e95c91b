import { resolve } from "node:path";
import { createSystemClock, makeVisible } from "@deputy/kit";
import { type Listing, pinServer, type Pins } from "@deputy/source-mcp";
import {
  declineListing,
  inspectServer,
  reviewListing,
  standingOf,
  withOffered,
} from "@deputy/source-mcp/review";
import { openLoopbackSignIn } from "@deputy/source-mcp/node";
import { ToolsError } from "@deputy/tools";
import { AppError } from "../../app-error.ts";
import { changeConfigFile, configFileOf } from "../../config/config-file.ts";
import { parseConfig, parseJson } from "../../config/parse-config.ts";
import { type McpSettings, type OpenApiSettings, toolSourcesOf } from "../../config/tool-source-schema.ts";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { openHome } from "../../home.ts";
import type { Invocation } from "../../invocation.ts";
import { assertSourceName } from "../../sources/assert-source-name.ts";
import { type McpServer, oauthOf, openMcpServer } from "../../sources/mcp-server.ts";
import { sha256, isRemoteSpec } from "../../sources/spec-place.ts";
import { VERSION } from "../../version.ts";

export interface AddOptions {
  readonly url?: string;
  readonly oauth?: true;
  readonly env?: readonly string[];
  readonly header?: readonly string[];
  readonly origin?: readonly string[];
  readonly cwd?: string;
  readonly yes?: true;
}

const clock = createSystemClock();

/** `deputy tools add mcp NAME -- COMMAND…` or `--url URL`: shows what the server offers, asks, and keeps it. */
export async function addMcp(
  invocation: Invocation,
  name: string,
  command: readonly string[],
  options: AddOptions,
): Promise<ExitCode> {
  const { homeDirectory, output } = invocation;
  assertSourceName(name, "server");
  const home = openHome(homeDirectory, invocation.warn);
  if (toolSourcesOf(home.config).some((source) => typeof source !== "string" && source.name === name))
    throw new AppError("usage", `There is already a tool source ${makeVisible(name)}`);
  const file = configFileOf(homeDirectory);
  const added = settingsOf(name, command, options);
  const [settings] = mcpIn(parseConfig({ toolSources: [added] }, "What was given").config.toolSources);
  if (settings === undefined) throw new Error("A valid source was not recognized");
  const server = serverOf(invocation, settings);
  const listing = await look(invocation, settings, server);
  if (!(await agree(invocation, server, undefined, listing, options.yes))) return EXIT.failed;
  pinServer({ store: server.store, sha256, clock }, server.target, listing);
  changeConfigFile(homeDirectory, (text) => {
    const raw = parseJson(text ?? "{}", file) as { readonly toolSources?: readonly unknown[] };
    return `${JSON.stringify({ ...raw, toolSources: [...(raw.toolSources ?? []), added] }, null, 2)}\n`;
  });
  output.result(
    `Added ${name}: ${inTools(listing.definitions.length)}, as tools.${name}. A running daemon has them from the next message on.`,
  );
  output.object({ type: "tool_source", name, tools: listing.definitions.map((one) => one.name) });
  return EXIT.done;
}

/** `deputy tools approve NAME`: shows what has changed since the last approval, asks, and records the answer. */
export async function approveSource(
  invocation: Invocation,
  name: string,
  options: { readonly yes?: true },
): Promise<ExitCode> {
  const document = remoteSpecs(invocation).find((one) => one.name === name || one.spec === name);
  if (document === undefined) return await approveMcp(invocation, name, options);
  const { approveOpenApi } = await import("./openapi-tools.ts");
  return await approveOpenApi(invocation, document, options);
}

async function approveMcp(
  invocation: Invocation,
  name: string,
  { yes }: { readonly yes?: true },
): Promise<ExitCode> {
  const { output } = invocation;
  const settings = findMcp(invocation, name);
  const server = serverOf(invocation, settings);
  const standing = standingOf(server.store, server.target);
  if (standing.kind === "moved")
    output.result(
      `The command or address of ${name} is not the one you reviewed: ${describeTarget(settings)}`,
    );
  const before = server.store.read();
  const listing = withOffered(await look(invocation, settings, server), before, server.target);
  if (!(await agree(invocation, server, before, listing, yes))) {
    declineListing({ store: server.store, sha256 }, server.target, listing);
    return EXIT.failed;
  }
  pinServer({ store: server.store, sha256, clock }, server.target, listing);
  output.result(
    `${name} has ${inTools(listing.definitions.length)}. A running daemon has them from the next message on.`,
  );
  output.object({ type: "tool_source", name, tools: listing.definitions.map((one) => one.name) });
  return EXIT.done;
}

/** `deputy tools auth NAME`: signs in to a server, by way of a browser. */
export async function authMcp(invocation: Invocation, name: string): Promise<ExitCode> {
  const settings = findMcp(invocation, name);
  const server = serverOf(invocation, settings);
  if (!server.signsIn)
    throw new AppError("usage", `${name} does not support signing in`, {
      hint: 'Its settings need `"auth": "oauth"`.',
    });
  await look(invocation, settings, server);
  invocation.output.result(`Signed in to ${name}.`);
  invocation.output.object({ type: "signed_in", name });
  return EXIT.done;
}

/** `deputy tools servers` */
export async function listServers(invocation: Invocation): Promise<ExitCode> {
  const servers = describeServers(invocation);
  for (const server of servers) {
    invocation.output.result(`${server.name}  ${server.standing}`);
    invocation.output.object({ type: "mcp_server", ...server });
  }
  const documents = await describeSpecs(invocation);
  for (const document of documents) {
    invocation.output.result(`${document.name}  ${document.standing}`);
    invocation.output.object({ type: "openapi_document", ...document });
  }
  if (servers.length + documents.length === 0) invocation.output.note("No MCP servers are connected.");
  return EXIT.done;
}

/** For each OpenAPI document at an address: what is known about it without reading it. */
async function describeSpecs(
  invocation: Invocation,
): Promise<readonly { readonly name: string; readonly standing: string }[]> {
  const specs = remoteSpecs(invocation);
  if (specs.length === 0) return [];
  const { pinnedSpecOf } = await import("../../sources/pinned-spec.ts");
  const { specStanding } = await import("@deputy/source-openapi/pins");
  return specs.map((settings) => {
    const { name, store, target } = pinnedSpecOf(settings, invocation.homeDirectory);
    const hint = `\`deputy tools approve ${name}\` shows it`;
    const standing = specStanding(store, target);
    if (standing.kind === "unpinned") return { name, standing: `you have not approved it yet; ${hint}` };
    if (standing.kind === "moved") return { name, standing: `disabled: its address has changed; ${hint}` };
    const isSame = standing.pins.found === undefined;
    return {
      name,
      standing: isSame ? "as you approved it" : `its address has another document now; ${hint}`,
    };
  });
}

function remoteSpecs(invocation: Invocation): readonly OpenApiSettings[] {
  const { config } = openHome(invocation.homeDirectory, invocation.warn);
  return toolSourcesOf(config).filter(
    (source): source is OpenApiSettings =>
      typeof source !== "string" && source.type === "openapi" && isRemoteSpec(source.spec),
  );
}

/** For each MCP server of the settings: what is known about it without asking it. */
export function describeServers(
  invocation: Invocation,
): readonly { readonly name: string; readonly standing: string }[] {
  const { config } = openHome(invocation.homeDirectory, invocation.warn);
  return mcpIn(toolSourcesOf(config)).map((settings) => {
    const { store, target } = serverOf(invocation, settings);
    const standing = standingOf(store, target);
    const hint = `\`deputy tools approve ${settings.name}\` shows it`;
    if (standing.kind === "unpinned")
      return { name: settings.name, standing: `you have not approved it yet; ${hint}` };
    if (standing.kind === "moved")
      return { name: settings.name, standing: `disabled: its command or address has changed; ${hint}` };
    const { tools, changes } = standing.pins;
    const changed = changes.length === 0 ? "" : `, ${changes.length} changed, new or gone; ${hint}`;
    return { name: settings.name, standing: `${inTools(tools.length)}${changed}` };
  });
}

/** Connects, and lets the user sign in if the server requires it. */
async function look(invocation: Invocation, settings: McpSettings, server: McpServer): Promise<Listing> {
  try {
    return await connectAndList(invocation, settings, server);
  } catch (error) {
    if (!(error instanceof ToolsError) || error.code !== "address_refused") throw error;
    throw new ToolsError("address_refused", error.message, {
      cause: error,
      hint: `If ${server.name} signs you in at a server of your own, allow its origin: \`--origin http://HOST:PORT\` of \`deputy tools add mcp\`, or \`origins\` in its settings.`,
    });
  }
}

async function connectAndList(
  invocation: Invocation,
  settings: McpSettings,
  server: McpServer,
): Promise<Listing> {
  const { signal, announce } = invocation;
  const common = { name: server.name, version: VERSION, clock };
  if (!server.signsIn) return await inspectServer({ ...common, openTransport: server.transports() }, signal);
  const show = (url: URL): void => announce(`Open this address to sign in to ${server.name}:\n${url.href}`);
  await using signIn = await openLoopbackSignIn(show, signal, oauthOf(settings)?.redirectPort);
  const openTransport = server.transports(signIn);
  return await inspectServer({ ...common, openTransport, signedIn: () => signIn.answered() }, signal);
}

async function agree(
  { output, reader, signal }: Invocation,
  { name }: McpServer,
  before: Pins | undefined,
  listing: Listing,
  yes: true | undefined,
): Promise<boolean> {
  const { texts } = reviewListing(sha256, before, listing);
  const { name: own, version } = listing.server;
  output.result(`${name} calls itself ${makeVisible(`${own} ${version}`.trim()) || "nothing"}.`);
  for (const text of texts) output.result(text);
  if (texts.length === 0) output.result("Nothing has changed.");
  if (yes === true) return true;
  const answer = await reader.next("Use these tools? [y]es, [n]o: ", signal, "fresh");
  return /^y(?:es)?$/i.test(answer?.trim() ?? "");
}

function settingsOf(name: string, [command, ...args]: readonly string[], options: AddOptions): object {
  const { url, oauth, env = [], header = [], origin = [], cwd } = options;
  return {
    type: "mcp",
    name,
    ...(url === undefined ? {} : { url }),
    ...(command === undefined ? {} : { command, args, cwd: resolve(cwd ?? ".") }),
    ...(env.length === 0 ? {} : { env: pairsOf(env) }),
    ...(header.length === 0 ? {} : { headers: pairsOf(header) }),
    ...(oauth === true ? { auth: "oauth" } : {}),
    ...(origin.length === 0 ? {} : { origins: origin }),
  };
}

/** `NAME=value`, each. */
function pairsOf(given: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    given.map((pair) => {
      const at = pair.indexOf("=");
      if (at < 1) throw new AppError("usage", `“${makeVisible(pair)}” is not of the form NAME=value`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

function mcpIn(sources: readonly (string | { readonly type: string })[]): readonly McpSettings[] {
  return sources.filter(
    (source): source is McpSettings => typeof source !== "string" && source.type === "mcp",
  );
}

function findMcp(invocation: Invocation, name: string): McpSettings {
  const { config } = openHome(invocation.homeDirectory, invocation.warn);
  const found = mcpIn(toolSourcesOf(config)).find((settings) => settings.name === name);
  if (found !== undefined) return found;
  throw new AppError("not_found", `There is no MCP server “${makeVisible(name)}” in the settings`, {
    hint: "`deputy tools add mcp NAME -- COMMAND…` adds one.",
  });
}

/** These commands do not show secrets. */
function serverOf({ env, homeDirectory }: Invocation, settings: McpSettings): McpServer {
  const none = (): void => undefined;
  return openMcpServer(settings, { home: homeDirectory, env, audit: none, learnSecret: none });
}

function describeTarget({ command, args = [], url }: McpSettings): string {
  return makeVisible(url ?? [command, ...args].join(" "));
}

function inTools(count: number): string {
  return count === 1 ? "1 tool" : `${count} tools`;
}
