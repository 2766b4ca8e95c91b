import { CodedError, createSystemClock } from "@deputy/kit";
import {
  MODEL,
  MODEL_FILES,
  type ModelFile,
  modelFolder,
  readModelFile,
} from "@deputy/embedder/node/model-files";
import type { Config } from "../config.ts";
import { toolSourcesOf } from "../config/tool-source-schema.ts";
import { checkSources } from "../sources/check-sources.ts";
import { checkCalls } from "./check-calls.ts";
import { checkDaemon } from "./check-daemon.ts";
import { checkEvents } from "./check-events.ts";
import { checkConfiguration, checkHome, checkLog, checkToken } from "./check-home.ts";
import { checkBrowser, checkDisk, checkNode, checkSandbox } from "./check-machine.ts";
import { checkModel } from "./check-model.ts";
import { advise, type Finding, ok, wrong } from "./finding.ts";

/** All checks, one after the other. They change nothing. `online`: the model is called, too. */
export async function* checkEverything(
  directory: string,
  env: NodeJS.ProcessEnv,
  online: "online" | "offline",
  signal: AbortSignal,
): AsyncGenerator<Finding> {
  yield checkNode(process.versions.node);
  yield checkHome(directory);
  const { finding, config } = checkConfiguration(directory);
  yield finding;
  const daemon = await checkDaemon(directory, config, env);
  yield checkToken(directory, env, daemon.standing);
  yield await checkModel({ directory, config }, env, online, signal);
  yield await checkMemory(config.memory);
  yield* await checkTools(directory, config, env);
  yield* checkEvents(directory, config, env);
  const { others, ...known } = config.adapters;
  if ([...Object.values(known), ...Object.values(others)].some(({ enabled }) => enabled)) {
    const { checkChannels } = await import("./check-channels.ts");
    yield* await checkChannels({ directory, config }, env, online, signal);
  }
  yield* daemon.findings;
  yield* await checkLog(directory, createSystemClock().now());
  yield await checkCalls(directory, createSystemClock());
  yield checkDisk(directory);
  yield await checkSandbox({ directory, config }, env, process.platform);
  const user = process.getuid?.() === 0 ? "root" : "ordinary";
  yield await checkBrowser(config.tools.browser, { env, platform: process.platform, user });
}

/** One finding for each source with a problem, or one for all of them. */
async function checkTools(
  directory: string,
  config: Config,
  env: NodeJS.ProcessEnv,
): Promise<readonly Finding[]> {
  const problems = await checkSources(directory, config, env);
  if (problems.length > 0)
    return problems.map(({ kind, message, fix }) =>
      (kind === "broken" ? wrong : advise)("tools", message, fix),
    );
  const count = toolSourcesOf(config).length;
  if (count === 0) return [ok("tools", "Only Deputy's own.")];
  return [ok("tools", `Deputy's own, and ${count === 1 ? "1 source" : `${count} sources`}, all found.`)];
}

/** How memory is searched: with which model, and whether its files are there and whole. Asks no service. */
export async function checkMemory(settings: Config["memory"], folder = modelFolder()): Promise<Finding> {
  const { enabled, embeddingModel } = settings;
  if (!enabled) return ok("memory", "Switched off.");
  if (embeddingModel === "none")
    return advise(
      "memory",
      "Searched by words alone.",
      "Remove memory.embeddingModel from the configuration to search by meaning, too.",
    );
  if (embeddingModel !== undefined)
    return ok("memory", `Searched by words, and by meaning with ${embeddingModel}.`);
  try {
    for (const name of Object.keys(MODEL_FILES) as ModelFile[]) await readModelFile(folder, name);
    return ok("memory", `Searched by words, and by meaning with ${MODEL}, on this machine.`);
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return wrong(
      "memory",
      `Searched by words alone: ${error.message}`,
      error.hint ?? "Install Deputy again.",
    );
  }
}
