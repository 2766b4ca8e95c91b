import type { SetupContext, SetupDoor } from "@deputy/gateway";
import { makeVisible } from "@deputy/kit";
import type { SettingRow } from "@deputy/protocol/rpc";
import { z } from "zod";
import { AppError } from "../app-error.ts";
import { configSchema } from "../config.ts";
import { withoutSetting, withValue } from "../config/change-config.ts";
import { changeConfigFile, configFileOf } from "../config/config-file.ts";
import { overrideOf } from "../config/overrides.ts";
import { parseConfig, parseJson } from "../config/parse-config.ts";
import { type CurrentConfig, hashText, readCurrent } from "../config/read-current.ts";
import { isSecretPlace, keepHidden, showable } from "../config/secret-places.ts";
import { listSettings, schemaAt, valueAt } from "../config/settings.ts";
import type { SetupDeps } from "./setup-deps.ts";

/** Read again whenever they are needed. */
const AT_ONCE: ReadonlySet<string> = new Set(["models", "providers", "toolSources", "mcpServers"]);
/** A restart inside the process stays at its address, so that the page finds it. */
const AT_START: ReadonlySet<string> = new Set(["gateway.host", "gateway.port"]);
/** They name programs that would run here. */
const RUNS_PROGRAMS: ReadonlySet<string> = new Set([
  "toolSources",
  "mcpServers",
  "tools.browser.path",
  "adapters.others",
  "tools.bash.sandboxes",
]);
/** By agent: no form of one row each fits. */
const BY_AGENT = "agents.list";

interface KnownSetting {
  readonly path: readonly string[];
  readonly meaning: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly default: unknown;
  readonly isLater: boolean;
}

/** The settings of the page: each is read and written on its own. */
export function createSettingsDoor(
  deps: SetupDeps,
): Pick<SetupDoor, "settings.list" | "settings.set" | "settings.unset"> {
  const { home, env } = deps;
  const file = configFileOf(home.directory);
  const known = knownSettings();

  const rowOf = (setting: KnownSetting, now: CurrentConfig): SettingRow => {
    const { path } = setting;
    const name = path.join(".");
    const override = overrideOf(path, env);
    const written = valueAt(now.raw, path);
    const effect = effectOf(name, setting.isLater);
    const isSame = JSON.stringify(valueAt(now.config, path)) === JSON.stringify(valueAt(home.config, path));
    return {
      path: [...path],
      meaning: setting.meaning,
      schema: { ...setting.schema },
      value: showable(written, path) ?? null,
      default: setting.default ?? null,
      from: override !== undefined ? "environment" : written === undefined ? "default" : "file",
      ...(override !== undefined && { variable: override.variable, given: override.value }),
      effect,
      isSecret: isSecretPlace(path),
      isPending: (effect === "restart" || effect === "start") && override === undefined && !isSame,
    };
  };
  const find = (path: readonly string[]): KnownSetting => {
    const name = path.join(".");
    const found = known.find((setting) => setting.path.join(".") === name);
    if (found !== undefined) return found;
    throw new AppError("unknown_setting", `There is no setting “${makeVisible(name)}”`);
  };
  /** Writes what `make` says, if the file is still the one that the client has read. */
  const change = (
    { path, baseHash }: { readonly path: readonly string[]; readonly baseHash: string },
    { isOnThisMachine }: SetupContext,
    make: (raw: unknown) => unknown,
  ): { hash: string; setting: SettingRow } => {
    const setting = find(path);
    const name = path.join(".");
    if (RUNS_PROGRAMS.has(name) && !isOnThisMachine)
      throw new AppError(
        "not_from_here",
        "A setting that decides which programs run can be changed only on the machine where Deputy runs",
        {
          hint: "Nothing was changed. Open the page there, or use `deputy config set` there.",
        },
      );
    changeConfigFile(home.directory, (text = "{}") => {
      if (hashText(text) !== baseHash)
        throw new AppError("changed_meanwhile", "The file of the settings was changed meanwhile", {
          hint: "Nothing was written. Look at what it says now, then save again.",
        });
      const changed = make(parseJson(text, file));
      assertFits(changed, name);
      return `${JSON.stringify(changed, null, 2)}\n`;
    });
    const now = readCurrent(home);
    return { hash: now.hash, setting: rowOf(setting, now) };
  };

  return {
    "settings.list": async () => {
      const now = readCurrent(home);
      const refusal =
        deps.refusal === undefined
          ? []
          : [`Deputy could not start with the settings of the last restart: ${deps.redact(deps.refusal)}`];
      return {
        file,
        hash: now.hash,
        settings: known.map((setting) => rowOf(setting, now)),
        problems: [...refusal, ...now.warnings],
      };
    },
    "settings.set": async ({ path, value, baseHash }, context) =>
      change({ path, baseHash }, context, (raw) =>
        withValue(raw, path, keepHidden(value, valueAt(raw, path), path)),
      ),
    "settings.unset": async (params, context) =>
      change(params, context, (raw) => withoutSetting(raw, params.path)),
  };
}

function knownSettings(): readonly KnownSetting[] {
  const defaults = configSchema.parse({});
  const rows = listSettings().filter(({ path }) => !path.startsWith(`${BY_AGENT}.`));
  const known = rows.map(({ path: name, meaning, isLater }): KnownSetting => {
    const path = name.split(".");
    return { path, meaning, isLater, schema: jsonSchemaOf(path), default: valueAt(defaults, path) };
  });
  const at = known.findLastIndex(({ path }) => path[0] === "agents") + 1;
  const path = BY_AGENT.split(".");
  const meaning =
    "Settings of single agents, by their names; the same as those of `agent`, which hold for all";
  return known.toSpliced(at, 0, { path, meaning, isLater: false, schema: jsonSchemaOf(path), default: {} });
}

function jsonSchemaOf(path: readonly string[]): Readonly<Record<string, unknown>> {
  const schema = schemaAt(path);
  if (schema === undefined) return {};
  const {
    $schema: _schema,
    description: _description,
    default: _default,
    ...rest
  } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return rest;
}

function effectOf(name: string, isLater: boolean): SettingRow["effect"] {
  if (isLater) return "none";
  if (AT_START.has(name)) return "start";
  return AT_ONCE.has(name.split(".", 1)[0] ?? "") ? "at_once" : "restart";
}

/** Throws `config_invalid` with the reason alone, where it is about this setting. */
function assertFits(changed: unknown, name: string): void {
  try {
    parseConfig(changed, "It");
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const reasons = error.message.replace(/^It does not fit: /, "").replaceAll(`${name}: `, "");
    throw new AppError("config_invalid", reasons, { hint: "Nothing was changed." });
  }
}
