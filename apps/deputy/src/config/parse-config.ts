import { makeVisible } from "@deputy/kit";
import { AppError } from "../app-error.ts";
import { type Config, configSchema } from "../config.ts";
import { nearestNames } from "../commands/command-line.ts";
import { namesUnder } from "./settings.ts";

export interface ParsedConfig {
  readonly config: Config;
  /** Unknown keys, each with what was probably meant. */
  readonly warnings: readonly string[];
}

/** The JSON of a configuration. Throws `config_invalid`. */
export function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : "not JSON";
    throw new AppError("config_invalid", `${file} is not valid JSON: ${makeVisible(why)}`, {
      cause,
      hint: "Nothing was changed. Correct the file.",
    });
  }
}

/** A configuration is parsed once per process: compiling its schema first takes longer than reading it as it is. */
const ONCE = { jitless: true };

/**
 * Throws `config_invalid`, naming each place and what is expected there. An unknown key is a warning and is
 * otherwise ignored: an older version must not stop because of a newer one's settings.
 */
export function parseConfig(raw: unknown, file: string): ParsedConfig {
  const first = configSchema.safeParse(raw, ONCE);
  if (first.success) return { config: first.data, warnings: [] };
  const unknown = first.error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...issue.path.map(String), key]) : [],
  );
  const second = configSchema.safeParse(unknown.reduce(without, raw), ONCE);
  if (!second.success) {
    const problems = second.error.issues.map(
      ({ path, message }) => `${makeVisible(path.join(".")) || "(top level)"}: ${message}`,
    );
    throw new AppError("config_invalid", `${file} does not fit: ${problems.join("; ")}`, {
      hint: "`deputy config set` changes one setting; nothing was changed.",
    });
  }
  return { config: second.data, warnings: unknown.map((path) => `${file}: ${describeUnknown(path)}`) };
}

/** The message for a name that is not a setting. */
export function describeUnknown(path: readonly string[]): string {
  const name = path.join(".");
  const said = `there is no setting “${makeVisible(name)}”`;
  const moved = MOVED[name];
  if (moved !== undefined) return `${said}: ${moved}`;
  const near = nearestNames(name, new Set([...namesUnder(path.slice(0, -1)), ...namesUnder([])]));
  return near.length === 0 ? said : `${said}. Did you mean ${near.join(", ")}?`;
}

/** Settings with another name than in the designs that Deputy follows. */
const MOVED: Readonly<Record<string, string>> = {
  "security.dataDir": "the data directory is given by --home or DEPUTY_HOME.",
};

/** A copy of `value` without the value at a path. */
function without(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined || typeof value !== "object" || value === null) return value;
  if (rest.length === 0) return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, name === key ? without(inner, rest) : inner]),
  );
}
