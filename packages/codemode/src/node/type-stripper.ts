import { type Clock, createIdleTimer } from "@deputy/kit";
import { CodemodeError } from "../codemode-error.ts";
import type { TypeStripper } from "../type-checker.ts";
import { unwrapCell, wrapCell } from "../wrap-cell.ts";
import { createBackgroundClock } from "./background-clock.ts";
import { startStripThread, type StripThread } from "./strip-thread.ts";

export interface NodeTypeStripperOptions {
  /** Without a program for so long, the thread is ended, and its memory given back. */
  readonly idleMs?: number;
  /** For that wait; its sleeps should not keep the process alive. */
  readonly clock?: Clock;
}

/** Node's own type stripper, in a thread that starts with the first program and is replaced when it breaks. */
export function createNodeTypeStripper(options: NodeTypeStripperOptions = {}): TypeStripper {
  const { idleMs = 60_000, clock = createBackgroundClock() } = options;
  let thread: StripThread | undefined;
  const end = (): void => {
    thread?.end();
    thread = undefined;
  };
  const idle = createIdleTimer({ clock, idleMs, onIdle: end });
  const refuse = (why: string): never => {
    throw new CodemodeError("not_erasable", `The types cannot be erased: ${why}`);
  };
  return {
    strip(code) {
      thread ??= startStripThread();
      const stripped = thread.strip(wrapCell(code));
      idle.restart();
      if (stripped.kind === "ok") return unwrapCell(stripped.text);
      if (stripped.kind === "refused") return refuse(stripped.message);
      end();
      return refuse("the program nests too deeply");
    },
  };
}
