import { CodedError, makeVisible } from "@deputy/kit";
import { assertKnownModel, parseModelRef } from "@deputy/model/ref";
import { openAgents } from "../../agents/open-agents.ts";
import { AppError } from "../../app-error.ts";
import type { Config } from "../../config.ts";
import { changeConfigFile, configFileOf, readConfigFile } from "../../config/config-file.ts";
import { withSetting } from "../../config/change-config.ts";
import { describeUnknown, parseConfig, parseJson } from "../../config/parse-config.ts";
import { referencedSecrets, showable } from "../../config/secret-places.ts";
import { resolveSecret } from "../../config/secret-reference.ts";
import { idleSettings, schemaAt, valueAt } from "../../config/settings.ts";
import { overrideOf } from "../../config/overrides.ts";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { openHomeDirectory } from "../../home.ts";
import type { Invocation } from "../../invocation.ts";
import { shadowedRuleWarnings } from "../../policy/policy-settings.ts";
import { checkSources } from "../../sources/check-sources.ts";

/** `deputy config path` */
export async function printPath({ output, homeDirectory }: Invocation): Promise<ExitCode> {
  const file = configFileOf(homeDirectory);
  output.result(file);
  output.object({ type: "config", file });
  return EXIT.done;
}

/** `deputy config get [KEY]`: the effective values, with defaults and environment; secrets as references. */
export async function getSetting(invocation: Invocation, key: string | undefined): Promise<ExitCode> {
  const { output } = invocation;
  const { raw, config } = read(invocation, invocation.warn);
  const path = pathOf(key);
  const override = overrideOf(path, invocation.env);
  const value = override?.value ?? valueAt(config, path);
  const inFile = valueAt(raw, path) === undefined ? "default" : "file";
  const from = override === undefined ? inFile : override.variable;
  const shown = showable(value, path);
  output.result(typeof shown === "string" ? makeVisible(shown) : JSON.stringify(shown ?? null, null, 2));
  output.object({ type: "setting", key: path.join("."), value: shown ?? null, from });
  if (override !== undefined) output.note(`(from ${override.variable}, which overrides the file)`);
  return EXIT.done;
}

/** `deputy config set KEY VALUE`: checks, then writes the whole file; everything else in it stays. */
export async function setSetting(invocation: Invocation, key: string, value: string): Promise<ExitCode> {
  const { output, homeDirectory } = invocation;
  openHomeDirectory(homeDirectory, invocation.warn);
  const file = configFileOf(homeDirectory);
  const path = pathOf(key);
  let now: unknown;
  changeConfigFile(homeDirectory, (text) => {
    const changed = withSetting(parseJson(text ?? "{}", file), path, value);
    now = valueAt(changed, path);
    return `${JSON.stringify(changed, null, 2)}\n`;
  });
  const shown = showable(now, path);
  output.result(`${makeVisible(key)} is now ${JSON.stringify(shown)}`);
  const isIdle = idleSettings(withOnly(path, now)).length > 0;
  output.note(isIdle ? "It has no effect in this version." : "It takes effect at the next start.");
  output.object({ type: "setting", key: path.join("."), value: shown, from: "file" });
  return EXIT.done;
}

/** `deputy config check`: checks the settings, and the agents and skills they name. */
export async function checkConfig(invocation: Invocation): Promise<ExitCode> {
  const { output, env, homeDirectory, signal } = invocation;
  const problems: string[] = [];
  const { file, raw, config } = read(invocation, (text) => problems.push(text));
  for (const { path, reference } of referencedSecrets(config)) {
    try {
      resolveSecret(reference, env, homeDirectory);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      problems.push(`${file}: ${path}: ${error.message}`);
    }
  }
  for (const { place, message } of await checkSources(homeDirectory, config, env))
    problems.push(`${file}: ${place}: ${message}`);
  problems.push(...shadowedRuleWarnings(config.policy).map((warning) => `${file}: ${warning}`));
  const agents = openAgents({ directory: homeDirectory, config }, process.cwd());
  const { slugs, problems: misnamed } = await agents.registry.list(signal);
  problems.push(...misnamed);
  for (const slug of slugs) {
    const agent = await agents.registry.read(slug, signal);
    problems.push(...agent.problems, ...modelProblems(slug, [agent.model, ...agent.fallbacks], config));
  }

  const idle = idleSettings(raw);
  for (const problem of new Set(problems)) {
    output.result(makeVisible(problem));
    output.object({ type: "problem", message: problem });
  }
  for (const setting of idle) {
    output.note(`${setting} has no effect in this version.`);
    output.object({ type: "idle", key: setting });
  }
  const count = new Set(problems).size;
  const verdict =
    count === 0 ? "is sound" : `can be used, but for ${count === 1 ? "that" : `those ${count}`}`;
  output.note(`${file} ${verdict}. Agents: ${slugs.join(", ")}.`);
  output.object({ type: "checked", file, agents: slugs, problems: count });
  return EXIT.done;
}

function read({ homeDirectory }: Invocation, warn: (text: string) => void) {
  openHomeDirectory(homeDirectory, warn);
  const file = configFileOf(homeDirectory);
  const raw = parseJson(readConfigFile(homeDirectory), file);
  const { config, warnings } = parseConfig(raw, file);
  warnings.forEach(warn);
  return { file, raw, config };
}

/** Throws `unknown_setting`. */
function pathOf(key: string | undefined): readonly string[] {
  const path = key === undefined || key === "" ? [] : key.split(".");
  const found = joinings(path).find((one) => schemaAt(one) !== undefined);
  if (found !== undefined) return found;
  throw new AppError("unknown_setting", capitalise(describeUnknown(path)), {
    hint: "`deputy config get` shows all settings; docs/config.md says what each means.",
  });
}

/**
 * Names may contain dots, as models' names do: returns the ways to read a key, those with the fewest such
 * names first.
 */
function joinings(parts: readonly string[]): readonly (readonly string[])[] {
  const [first, ...rest] = parts.slice(0, MOST_PARTS);
  if (first === undefined || parts.length > MOST_PARTS) return [parts];
  let ways: string[][] = [[first]];
  for (const part of rest)
    ways = ways.flatMap((way) => [
      [...way, part],
      [...way.slice(0, -1), `${way.at(-1) ?? ""}.${part}`],
    ]);
  return ways.sort((a, b) => b.length - a.length);
}

const MOST_PARTS = 8;

/** Problems that would keep an agent from asking its model at all. A missing key shows later. */
function modelProblems(
  slug: string,
  models: readonly (string | undefined)[],
  { servers }: Pick<Config, "servers">,
): readonly string[] {
  return models.flatMap((model) => {
    if (model === undefined) return [];
    try {
      assertKnownModel(parseModelRef(model), Object.keys(servers));
      return [];
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      return [`Agent ${slug}: ${error.message}${error.hint === undefined ? "" : ` ${error.hint}`}`];
    }
  });
}

function withOnly(path: readonly string[], value: unknown): unknown {
  return path.reduceRight((inner, key) => ({ [key]: inner }), value);
}

function capitalise(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
