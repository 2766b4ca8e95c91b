import { CodemodeError } from "../codemode-error.ts";
import type { TypeStripper } from "../type-checker.ts";
import { stripTypes } from "./strip-types.ts";
import { unwrapCell, wrapCell } from "../wrap-cell.ts";

/** Node's own type stripper. */
export function createNodeTypeStripper(): TypeStripper {
  return {
    strip(code) {
      try {
        return unwrapCell(stripTypes(wrapCell(code)));
      } catch (cause) {
        const why = cause instanceof Error ? cause.message : "it is not TypeScript";
        throw new CodemodeError("not_erasable", `The types cannot be erased: ${why}`, { cause });
      }
    },
  };
}
