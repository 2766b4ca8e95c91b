import { accessSync, constants, statSync } from "node:fs";
import { resolve } from "node:path";
import { CodedError, systemCodeOf } from "@deputy/kit";
import { ToolsError } from "@deputy/tools";
import type { Config } from "../config.ts";
import { type McpSettings, type OpenApiSettings, toolSourcesOf } from "../config/tool-source-schema.ts";
import { describeFileFailure } from "../file-failure.ts";
import { pluginFile } from "./plugin-file.ts";
import { isRemoteSpec } from "./spec-place.ts";

/** A problem of a source in the settings. `waits`: only the user's approval is missing. */
export interface SourceProblem {
  readonly kind: "broken" | "waits";
  /** Its place in the settings, such as `toolSources.0` or `mcpServers.github`. */
  readonly place: string;
  readonly message: string;
  readonly fix: string;
}

/**
 * Whether the files, packages and pins that the sources need are there. Runs no plugin, asks no server, and
 * reads no document: problems inside them show when they are loaded.
 */
export async function checkSources(
  home: string,
  config: Pick<Config, "toolSources" | "mcpServers">,
  env: NodeJS.ProcessEnv,
): Promise<readonly SourceProblem[]> {
  const problems: SourceProblem[] = [];
  for (const [at, source] of toolSourcesOf(config).entries()) {
    const problem =
      typeof source === "string"
        ? checkPlugin(home, source)
        : source.type === "openapi"
          ? await checkSpec(home, source)
          : await checkPins(home, source, env);
    if (problem === undefined) continue;
    const isListed = at < config.toolSources.length || typeof source === "string";
    problems.push({ place: isListed ? `toolSources.${at}` : `mcpServers.${source.name}`, ...problem });
  }
  return problems;
}

type Found = Omit<SourceProblem, "place"> | undefined;

function checkPlugin(home: string, entry: string): Found {
  try {
    const file = pluginFile(home, entry);
    const why = whyUnreadable(file);
    if (why === undefined) return undefined;
    const message = `The plugin ${file} cannot be used: ${why}. Nothing starts without it.`;
    return { kind: "broken", message, fix: mend(entry) };
  } catch (error) {
    if (!(error instanceof ToolsError)) throw error;
    const message = `${error.message}. Nothing starts without it.`;
    return { kind: "broken", message, fix: error.hint ?? mend(entry) };
  }
}

async function checkSpec(home: string, settings: OpenApiSettings): Promise<Found> {
  const { name, spec } = settings;
  if (isRemoteSpec(spec)) return await checkSpecPins(home, settings);
  const file = resolve(home, spec);
  const why = whyUnreadable(file);
  if (why === undefined) return undefined;
  const message = `The OpenAPI document ${file} cannot be read: ${why}. Its tools are left out.`;
  return { kind: "broken", message, fix: mend(name ?? spec) };
}

async function checkSpecPins(home: string, settings: OpenApiSettings): Promise<Found> {
  const { pinnedSpecOf, readPinnedSpec } = await import("./pinned-spec.ts");
  const pinned = pinnedSpecOf(settings, home);
  const fix = `deputy tools approve ${pinned.name}`;
  try {
    const known = readPinnedSpec(pinned);
    if (!("why" in known)) return undefined;
    const message = `You have not reviewed the OpenAPI document of ${pinned.name} at its address yet.`;
    return { kind: "waits", message, fix };
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return { kind: "broken", message: `${error.message}.`, fix: error.hint ?? fix };
  }
}

async function checkPins(home: string, settings: McpSettings, env: NodeJS.ProcessEnv): Promise<Found> {
  const { name } = settings;
  const fix = `deputy tools approve ${name}`;
  const { standingOf } = await import("@deputy/source-mcp/review");
  const { openMcpServer } = await import("./mcp-server.ts");
  const none = (): void => undefined;
  try {
    const { store, target } = openMcpServer(settings, { home, env, audit: none, learnSecret: none });
    const { kind } = standingOf(store, target);
    if (kind === "unpinned")
      return {
        kind: "waits",
        message: `You have not reviewed the tools of the MCP server ${name} yet.`,
        fix,
      };
    if (kind === "moved") {
      const message = `The command or address of the MCP server ${name} has changed: it is disabled.`;
      return { kind: "waits", message, fix };
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return { kind: "broken", message: `${error.message}.`, fix: error.hint ?? fix };
  }
}

const mend = (name: string): string =>
  `Check the path (relative paths start at the home), or remove it: deputy tools remove ${name}`;

function whyUnreadable(file: string): string | undefined {
  try {
    if (!statSync(file).isFile()) return "it is not a file";
    accessSync(file, constants.R_OK);
    return undefined;
  } catch (error) {
    return systemCodeOf(error) === "ENOENT" ? "there is no such file" : describeFileFailure(error);
  }
}
