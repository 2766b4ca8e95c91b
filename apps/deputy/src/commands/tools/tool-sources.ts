import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import { createSystemClock, makeVisible } from "@deputy/kit";
import { createCatalogue } from "@deputy/tools";
import { AppError } from "../../app-error.ts";
import type { Config } from "../../config.ts";
import { parseConfig } from "../../config/parse-config.ts";
import { toolSourcesOf } from "../../config/tool-source-schema.ts";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { type Home, openHome } from "../../home.ts";
import type { Invocation } from "../../invocation.ts";
import { loadSources, NOTHING_IS_CALLED } from "../../load-catalogue.ts";
import { changeSources, isMeant, nameOfSource, withoutServer } from "../../sources/configured-sources.ts";
import { isRemoteSpec } from "../../sources/spec-place.ts";
import { isSecretReference, resolveSecret } from "../../config/secret-reference.ts";

export interface OpenApiAddOptions {
  readonly name?: string;
  readonly server?: string;
  readonly bearer?: string;
  readonly yes?: true;
}

type Setting = Config["toolSources"][number];
const COUNTS_NOW = "A running daemon has it from the next message on.";

/** `deputy tools add plugin FILE`: loads it first, so that a broken one is not saved. */
export async function addPlugin(invocation: Invocation, file: string): Promise<ExitCode> {
  const here = resolve(file);
  const home = openHome(invocation.homeDirectory, invocation.warn);
  const isFile = existsSync(here);
  return await addSource(invocation, home, isFile ? fromHome(home.directory, here) : file);
}

/** A plugin that Deputy brings: `deputy tools add github`. Its secret is named, never given on the command line. */
export async function addShipped(
  invocation: Invocation,
  name: string,
  options: { readonly token: string },
): Promise<ExitCode> {
  const { token } = options;
  const home = openHome(invocation.homeDirectory, invocation.warn);
  if (!isSecretReference(token))
    throw new AppError("usage", "A token must not be on the command line, where other programs can read it", {
      hint: "--token env:NAME, or --token file:/path",
    });
  const code = await addSource(invocation, home, `@deputy/${name}`);
  changeSources(home, ({ credentials = {} }) => ({
    credentials: { ...credentials, [name]: { secret: token, tools: [`${name}.**`] } },
  }));
  try {
    resolveSecret(token, invocation.env, home.directory);
    invocation.output.note(`Its token is ${token}.`);
  } catch {
    invocation.output.note(`Its token is read from ${token}, where there is none yet.`);
  }
  return code;
}

/** `deputy tools add openapi SPEC` */
export async function addOpenApi(
  invocation: Invocation,
  spec: string,
  { name, server, bearer, yes }: OpenApiAddOptions,
): Promise<ExitCode> {
  const home = openHome(invocation.homeDirectory, invocation.warn);
  const here = resolve(spec);
  const isFile = !/^https?:/i.test(spec) && existsSync(here);
  const added = {
    type: "openapi",
    spec: isFile ? fromHome(home.directory, here) : spec,
    ...(name === undefined ? {} : { name }),
    ...(server === undefined ? {} : { server }),
    ...(bearer === undefined ? {} : { auth: { type: "bearer", token: bearer } }),
  };
  if (!isRemoteSpec(spec)) return await addSource(invocation, home, added);
  return await addRemote(invocation, home, added, yes);
}

/** A document from an address is stored as the user has seen it. It provides its name, if the user does not. */
async function addRemote(
  invocation: Invocation,
  home: Home,
  added: object,
  yes: true | undefined,
): Promise<ExitCode> {
  const { agreeToSpec, readNow } = await import("./openapi-tools.ts");
  const [setting] = parseConfig({ toolSources: [added] }, "What was given").config.toolSources;
  if (typeof setting !== "object" || setting.type !== "openapi")
    throw new Error("A valid source was not recognized");
  const { root, location } = await readNow(invocation, setting);
  const name = setting.name ?? (await nameOfSpec(root, location));
  assertNew(home, name);
  if (!(await agreeToSpec(invocation, { ...setting, name }, root, yes))) return EXIT.failed;
  return await addSource(invocation, home, { ...added, name });
}

async function nameOfSpec(root: unknown, location: URL): Promise<string> {
  const { openApiSource } = await import("@deputy/source-openapi");
  const closed = (): Promise<never> => Promise.reject(new Error("Nothing is called"));
  const doors = { named: closed, others: closed };
  const deps = { doors, clock: createSystemClock(), learnSecret: () => undefined };
  return openApiSource(root, { location }, deps).source;
}

function assertNew(home: Home, name: string): void {
  if (toolSourcesOf(home.config).some((one) => nameOfSource(one) === name))
    throw new AppError("usage", `There is already a tool source ${makeVisible(name)}`);
}

/** `deputy tools remove NAME`: takes it out of the settings; files and documents stay where they are. */
export async function removeSource(invocation: Invocation, name: string): Promise<ExitCode> {
  const { output, homeDirectory } = invocation;
  const home = openHome(homeDirectory, invocation.warn);
  const known = home.config.toolSources;
  const gone = known.filter((setting) => isMeant(home.directory, setting, name));
  const isServer = Object.hasOwn(home.config.mcpServers, name);
  if (gone.length === 0 && !isServer) {
    const there = [...known.map(nameOfSource), ...Object.keys(home.config.mcpServers)].join(", ");
    throw new AppError("not_found", `There is no tool source ${makeVisible(name)}`, {
      hint: there === "" ? "There are none in the settings." : `There are: ${makeVisible(there)}`,
    });
  }
  changeSources(home, ({ toolSources = [], mcpServers = {} }) => ({
    toolSources: toolSources.filter((_, at) => !gone.includes(known[at] as Setting)),
    ...(isServer ? { mcpServers: withoutServer(mcpServers, name) } : {}),
  }));
  for (const removed of [...gone.map(nameOfSource), ...(isServer ? [name] : [])]) {
    output.result(`Removed ${makeVisible(removed)}.`);
    output.object({ type: "tool_source_removed", name: removed });
  }
  output.note(COUNTS_NOW.replace("has it", "no longer has it"));
  return EXIT.done;
}

async function addSource(invocation: Invocation, home: Home, added: unknown): Promise<ExitCode> {
  const { output, env, signal } = invocation;
  const [setting] = parseConfig({ toolSources: [added] }, "What was given").config.toolSources;
  if (setting === undefined) throw new Error("A valid source was not recognized");
  const name = nameOfSource(setting);
  assertNew(home, name);
  const problems: string[] = [];
  const deps = {
    home: home.directory,
    env,
    signal,
    ...NOTHING_IS_CALLED,
    warn: (text: string) => void problems.push(text),
  };
  const sources = await loadSources([setting], deps);
  const tools = createCatalogue(sources).list();
  if (tools.length === 0)
    throw new AppError("not_available", problems[0] ?? `${makeVisible(name)} has no tools`, {
      hint: "Nothing was changed.",
    });
  problems.forEach(invocation.warn);
  const namespaces = [...new Set(tools.map(({ path }) => path.split(".", 1)[0] ?? path))];
  // A document provides its name; its name here does not change with it.
  const kept =
    typeof setting === "string" || setting.name !== undefined ? added : { ...setting, name: namespaces[0] };
  changeSources(home, ({ toolSources = [] }) => ({ toolSources: [...toolSources, kept] }));
  const count = tools.length === 1 ? "1 tool" : `${tools.length} tools`;
  const places = namespaces.map((namespace) => `tools.${namespace}`).join(", ");
  output.result(`Added ${makeVisible(name)}: ${count}, as ${places}.`);
  output.note(COUNTS_NOW);
  output.object({ type: "tool_source", name, tools: tools.map(({ path }) => path) });
  return EXIT.done;
}

/** Paths in the settings are from the home; what lies elsewhere is named whole. */
function fromHome(home: string, file: string): string {
  const path = relative(home, file);
  return path.startsWith("..") ? file : `./${path}`;
}
