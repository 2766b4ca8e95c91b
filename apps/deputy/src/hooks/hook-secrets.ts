import { AppError } from "../app-error.ts";
import { resolveSecret } from "../config/secret-reference.ts";
import { readHooks } from "./hooks-file.ts";

/**
 * The hooks' secrets, as far as they can be read, so that they are never shown. The code that uses them reports
 * problems.
 */
export function hookSecrets(home: string, env: NodeJS.ProcessEnv): readonly string[] {
  const orNone = <T>(read: () => readonly T[]): readonly T[] => {
    try {
      return read();
    } catch (error) {
      if (error instanceof AppError) return [];
      throw error;
    }
  };
  return orNone(() => readHooks(home)).flatMap(({ secret, secretFrom }) => {
    if (secret !== undefined) return [secret];
    return secretFrom === undefined ? [] : orNone(() => [resolveSecret(secretFrom, env, home)]);
  });
}
