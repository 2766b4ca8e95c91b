import { stripTypeScriptTypes } from "node:module";

/**
 * Erases types from a module or script without moving a character; throws as Node does. Quiet: the
 * stripper announces once per process that it is experimental, to a user who never asked for it. Node
 * offers no other way to silence it; nothing else can run before the original is back.
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
