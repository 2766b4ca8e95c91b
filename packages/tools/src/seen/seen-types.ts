import type { JsonSchema } from "@deputy/codemode";
import { mergeSeen, type SeenSchema } from "./merge-seen.ts";

/** What results of tools were like whose source does not say. */
export interface SeenTypes {
  /** Changes whenever anything that it knows does. */
  readonly version: number;
  /** Undefined before the first result. */
  schemaOf(path: string): JsonSchema | undefined;
  /** Counts a result in. Never throws. */
  note(path: string, result: unknown): void;
}

const MAX_TOOLS = 2_000;
/** A shape that has become larger tells nobody anything. */
const MAX_CHARS = 20_000;

/** `keep` is told everything whenever it has changed, and may fail: it is learned again. */
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
        // It helps whoever writes a call; no call fails for it.
      }
    },
  };
}
