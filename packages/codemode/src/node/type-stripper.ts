import { CodemodeError } from "../codemode-error.ts";
import type { TypeStripper } from "../type-checker.ts";
import { unwrapCell, wrapCell } from "../wrap-cell.ts";
import { startStripThread, type StripThread } from "./strip-thread.ts";

/** Node's own type stripper, in a thread that starts with the first program and is replaced when it breaks. */
export function createNodeTypeStripper(): TypeStripper {
  let thread: StripThread | undefined;
  const refuse = (why: string): never => {
    throw new CodemodeError("not_erasable", `The types cannot be erased: ${why}`);
  };
  return {
    strip(code) {
      thread ??= startStripThread();
      const stripped = thread.strip(wrapCell(code));
      if (stripped.kind === "ok") return unwrapCell(stripped.text);
      if (stripped.kind === "refused") return refuse(stripped.message);
      thread.end();
      thread = undefined;
      return refuse("the program nests too deeply");
    },
  };
}
