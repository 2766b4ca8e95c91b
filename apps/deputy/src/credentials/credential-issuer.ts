import type { CredentialIssuer } from "@deputy/agent/turns";
import { readToolPattern } from "@deputy/policy/patterns";
import { ToolsError } from "@deputy/tools";
import { AppError } from "../app-error.ts";
import type { Config } from "../config.ts";
import { resolveSecret } from "../config/secret-reference.ts";

/**
 * Issues the configured `credentials` to tools. They are read again for each call, because a file may have changed.
 */
export function createCredentialIssuer(
  credentials: Config["credentials"],
  env: NodeJS.ProcessEnv,
  home: string,
): CredentialIssuer {
  return async (toolPath, name) => {
    const setting = Object.hasOwn(credentials, name) ? credentials[name] : undefined;
    if (setting === undefined)
      throw missing(`${toolPath} needs the credential “${name}”, which is not set`, name, toolPath);
    if (!setting.tools.some((pattern) => readToolPattern(pattern).fits(toolPath)))
      throw new ToolsError("credential_refused", `The credential “${name}” is not for ${toolPath}`, {
        hint: `Name it under credentials.${name}.tools in config.json if it is.`,
        quotes: [],
      });
    try {
      return resolveSecret(setting.secret, env, home);
    } catch (cause) {
      if (!(cause instanceof AppError)) throw cause;
      throw missing(
        `${toolPath} needs the credential “${name}”, but ${cause.message}`,
        name,
        toolPath,
        cause,
      );
    }
  };
}

function missing(message: string, name: string, toolPath: string, cause?: unknown): ToolsError {
  const namespace = toolPath.split(".", 1)[0];
  const hint = `Set credentials.${name} in config.json to { "secret": "env:NAME" or "file:PATH", "tools": ["${namespace}.**"] }.`;
  return new ToolsError("credential_missing", `${message}. ${hint}`, { hint, cause, quotes: [] });
}
