import { stripTypeScriptTypes } from "node:module";
import { CodemodeError } from "../codemode-error.ts";
import type { TypeStripper } from "../type-checker.ts";
import { unwrapCell, wrapCell } from "../wrap-cell.ts";

/** Node's own type stripper. */
export function createNodeTypeStripper(): TypeStripper {
  return {
    strip(code) {
      try {
        return unwrapCell(withoutExperimentalWarning(() => stripTypeScriptTypes(wrapCell(code))));
      } catch (cause) {
        const why = cause instanceof Error ? cause.message : "it is not TypeScript";
        throw new CodemodeError("not_erasable", `The types cannot be erased: ${why}`, { cause });
      }
    },
  };
}

/**
 * The stripper announces once per process that it is experimental, to a user who never asked for it.
 * Node offers no other way to keep it quiet; nothing else can run before the original is back.
 */
function withoutExperimentalWarning<T>(work: () => T): T {
  const original = process.emitWarning;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]): void => {
    if (rest[0] !== "ExperimentalWarning") Reflect.apply(original, process, [warning, ...rest]);
  };
  try {
    return work();
  } finally {
    process.emitWarning = original;
  }
}
