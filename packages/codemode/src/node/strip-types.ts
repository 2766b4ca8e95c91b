import { stripTypeScriptTypes } from "node:module";

/**
 * Erases types from a module or script without moving a character; throws like Node. Silences the stripper's
 * notice that it is experimental, which a user never asked for. Node offers no other way to silence it;
 * nothing else can run before the original is restored.
 */
export function stripTypes(source: string): string {
  const original = process.emitWarning;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]): void => {
    if (rest[0] !== "ExperimentalWarning") Reflect.apply(original, process, [warning, ...rest]);
  };
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = original;
  }
}
