import type { JsonSchema } from "@deputy/codemode";
import { mergeSeen, type SeenSchema } from "./merge-seen.ts";

/** The shapes of results, for tools whose source does not declare them. */
export interface SeenTypes {
  /** Changes whenever anything that it knows does. */
  readonly version: number;
  /** Undefined before the first result. */
  schemaOf(path: string): JsonSchema | undefined;
  /** Counts a result in. Never throws. */
  note(path: string, result: unknown): void;
}

const MAX_TOOLS = 2_000;
/** A shape that is longer than this helps no reader. */
const MAX_CHARS = 20_000;

/** Calls `keep` with everything after each change. `keep` may fail: the shapes are then learned again. */
export function createSeenTypes(
  known: Readonly<Record<string, SeenSchema>>,
  keep: (all: Readonly<Record<string, SeenSchema>>) => void,
): SeenTypes {
  const shapes = new Map(Object.entries(known));
  const texts = new Map<string, string>();
  let version = 0;
  return {
    get version() {
      return version;
    },
    schemaOf: (path) => shapes.get(path) as JsonSchema | undefined,
    note(path, result) {
      const before = shapes.get(path);
      if (before === undefined && shapes.size >= MAX_TOOLS) return;
      try {
        const shape = mergeSeen(before, result);
        const text = JSON.stringify(shape);
        if (text.length > MAX_CHARS || text === (texts.get(path) ?? JSON.stringify(before))) return;
        texts.set(path, text);
        shapes.set(path, shape);
        version++;
        keep(Object.fromEntries(shapes));
      } catch {
        // It only helps to write calls, so no call fails because of it.
      }
    },
  };
}
