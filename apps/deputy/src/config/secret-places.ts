import { AppError } from "../app-error.ts";
import type { Config } from "../config.ts";
import { isPlainHeaderName, isSecretReference, resolveSecret } from "./secret-reference.ts";

const SECRET_KEY = /(?:token|secret|password|apikey|key|authorization|credentials)$/i;
/** Maps in which every value may be a secret. */
const SECRET_MAPS: ReadonlySet<string> = new Set(["env", "headers"]);
const HIDDEN = "(hidden)";

export function isSecretPlace(path: readonly string[]): boolean {
  return SECRET_KEY.test(path.at(-1) ?? "") || SECRET_MAPS.has(path.at(-2) ?? "");
}

/** True for a value that may be the secret itself. */
function isSecret(text: string, path: readonly string[]): boolean {
  return isSecretPlace(path) && !isPlainHeader(path) && text !== "" && !isSecretReference(text);
}

/** A tool source accepts a plain header value only if the header's name shows that it is not a secret. */
function isPlainHeader(path: readonly string[]): boolean {
  return path[0] === "toolSources" && path.at(-2) === "headers" && isPlainHeaderName(path.at(-1) ?? "");
}

/** A value of the configuration as it may be shown: with references, without possible secrets. */
export function showable(value: unknown, path: readonly string[] = []): unknown {
  return mapStrings(value, path, (text, at) => (isSecret(text, at) ? HIDDEN : text));
}

/**
 * A value that somebody has edited as `showable` showed it: what was hidden stays as it was. Entries of a list are found
 * by their names, else by their places in a list of the same length. Throws `config_invalid` where it is unclear which
 * secret is meant.
 */
export function keepHidden(value: unknown, before: unknown, path: readonly string[]): unknown {
  if (value === HIDDEN && isSecretPlace(path)) {
    if (typeof before === "string" && before !== "") return before;
    throw new AppError(
      "config_invalid",
      `${path.join(".")}: it is unclear which secret “${HIDDEN}” stands for`,
      {
        hint: "Nothing was changed. Write a reference there: `env:NAME` or `file:/path`.",
      },
    );
  }
  if (Array.isArray(value)) {
    const old: readonly unknown[] = Array.isArray(before) ? before : [];
    return value.map((item: unknown, at) => {
      const name = nameOf(item);
      const same = name === undefined ? undefined : old.find((one) => nameOf(one) === name);
      const there = same ?? (old.length === value.length && name === undefined ? old[at] : undefined);
      return keepHidden(item, there, [...path, String(at)]);
    });
  }
  if (typeof value !== "object" || value === null) return value;
  const old: object = typeof before === "object" && before !== null ? before : {};
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      keepHidden(inner, Object.hasOwn(old, key) ? Reflect.get(old, key) : undefined, [...path, key]),
    ]),
  );
}

function nameOf(item: unknown): unknown {
  return typeof item === "object" && item !== null && "name" in item ? item.name : undefined;
}

export interface ReferencedSecret {
  /** The path of the setting that holds the reference. */
  readonly path: string;
  readonly reference: string;
}

export function referencedSecrets(config: Config): readonly ReferencedSecret[] {
  const found: ReferencedSecret[] = [];
  mapStrings(config, [], (text, at) => {
    if (isSecretPlace(at) && isSecretReference(text)) found.push({ path: at.join("."), reference: text });
    return text;
  });
  return found;
}

/** The values that must never be shown: each secret that the configuration holds or refers to, if it can be read. */
export function secretsOf(config: Config, env: NodeJS.ProcessEnv, home: string): readonly string[] {
  const secrets = referencedSecrets(config).flatMap(({ reference }) => {
    try {
      return [resolveSecret(reference, env, home)];
    } catch (error) {
      // The code that uses the secret reports that it cannot be read.
      if (error instanceof AppError) return [];
      throw error;
    }
  });
  mapStrings(config, [], (text, at) => {
    if (isSecret(text, at)) secrets.push(text);
    return text;
  });
  return secrets;
}

function mapStrings(
  value: unknown,
  path: readonly string[],
  map: (text: string, path: readonly string[]) => string,
): unknown {
  if (typeof value === "string") return map(value, path);
  if (Array.isArray(value)) return value.map((item, at) => mapStrings(item, [...path, String(at)], map));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, mapStrings(inner, [...path, key], map)]),
  );
}

const NAMES_OF_SECRETS = /(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i;

/** Values of environment variables whose names say that they are secret. */
export function secretsIn(env: NodeJS.ProcessEnv): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value && NAMES_OF_SECRETS.test(name) ? [value] : [],
  );
}
