import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_AGENT_FILES } from "@deputy/agent";
import { makeVisible, systemCodeOf } from "@deputy/kit";
import { parseModelRef } from "@deputy/model/ref";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { variablesOf } from "../../agents/agent-models.ts";
import { openAgents } from "../../agents/open-agents.ts";
import { AGENT_PRESETS, type AgentPreset } from "../../agents/presets.ts";
import { AppError } from "../../app-error.ts";
import { withValue } from "../../config/change-config.ts";
import { changeConfigFile, configFileOf } from "../../config/config-file.ts";
import { parseConfig, parseJson } from "../../config/parse-config.ts";
import { describeFileFailure } from "../../file-failure.ts";
import { type Home, openHome } from "../../home.ts";
import type { Invocation } from "../../invocation.ts";

/** `deputy agents list`: the agents there are, with their models. */
export async function listAgents(invocation: Invocation): Promise<ExitCode> {
  const { output, signal } = invocation;
  const { registry } = openAgents(openHome(invocation.homeDirectory, invocation.warn), process.cwd());
  const { slugs } = await registry.list(signal);
  for (const slug of slugs) {
    const { model, effort, fallbacks, mode } = await registry.read(slug, signal);
    const told = [
      ...(model === undefined ? [] : [makeVisible(model)]),
      mode,
      ...(effort === undefined ? [] : [`effort ${effort}`]),
      ...(fallbacks.length === 0 ? [] : [`then ${makeVisible(fallbacks.join(", "))}`]),
    ];
    output.result(`${slug}  ${told.join(", ")}`);
    output.object({ type: "agent", slug, model, effort, fallbacks, mode });
  }
  return EXIT.done;
}

/** `deputy agents presets`, and `add` without a name. */
export async function listPresets({ output }: Invocation): Promise<ExitCode> {
  for (const { name, about, settings } of AGENT_PRESETS) {
    output.result(`${name}  ${settings.model}: ${about}`);
    output.object({ type: "preset", name, about, ...settings });
  }
  output.note("`deputy agents add NAME` installs one.");
  return EXIT.done;
}

/** `deputy agents add NAME`: a folder and settings of its own. Overwrites nothing. */
export async function addAgent(invocation: Invocation, name: string | undefined): Promise<ExitCode> {
  if (name === undefined) return await listPresets(invocation);
  const { output, env } = invocation;
  const preset = AGENT_PRESETS.find((one) => one.name === name || one.slug === name);
  if (preset === undefined)
    throw new AppError("usage", `There is no preset “${makeVisible(name)}”`, {
      hint: `There are: ${AGENT_PRESETS.map((one) => one.name).join(", ")}.`,
    });
  const home = openHome(invocation.homeDirectory, invocation.warn);
  const { slug, settings } = preset;
  const { directory } = openAgents(home, process.cwd());
  const folder = join(directory, slug);
  const isTaken = existsSync(folder) || Object.hasOwn(home.config.agents.list, slug);
  if (isTaken)
    throw new AppError("usage", `There is already an agent ${slug}`, {
      hint: `Nothing was changed. Its files are in ${folder}, its settings under agents.list.${slug}.`,
    });
  writeFolder(directory, preset);
  changeConfigFile(home.directory, (text) => {
    const file = configFileOf(home.directory);
    const raw = withValue(parseJson(text ?? "{}", file), ["agents", "list", slug], settings);
    parseConfig(raw, file);
    return `${JSON.stringify(raw, null, 2)}\n`;
  });
  output.result(`Agent ${slug} uses ${settings.model}. Its files are in ${folder}.`);
  if (!hasKey(home, settings.model, env))
    output.result(
      `Its model has no key yet: \`deputy init --model ${settings.model}\`, or set ${keyOf(settings.model)}.`,
    );
  output.result(`Talk to it: \`deputy chat --agent ${slug}\`. A running daemon knows it after a restart.`);
  output.object({ type: "agent_added", slug, folder, ...settings });
  return EXIT.done;
}

const keyOf = (model: string): string => variablesOf(parseModelRef(model).provider).apiKey;

function hasKey({ config }: Home, model: string, env: NodeJS.ProcessEnv): boolean {
  const { provider } = parseModelRef(model);
  const kept = provider === "openai" ? config.providers.openai : config.providers.anthropic;
  return Boolean(env[keyOf(model)]) || kept.apiKey !== undefined;
}

/** All of it or nothing. Throws `file_unwritable`. */
function writeFolder(directory: string, { slug, instructions }: AgentPreset): void {
  const folder = join(directory, slug);
  const draft = join(directory, `.${slug}.${process.pid}`);
  try {
    mkdirSync(draft, { recursive: true, mode: 0o700 });
    const files = new Map(DEFAULT_AGENT_FILES).set("AGENTS.md", instructions);
    for (const [name, text] of files) writeFileSync(join(draft, name), text, { mode: 0o600 });
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (systemCodeOf(error) === undefined) throw error;
    throw new AppError("file_unwritable", `Cannot write ${folder}: ${describeFileFailure(error)}`, {
      cause: error,
    });
  }
}
