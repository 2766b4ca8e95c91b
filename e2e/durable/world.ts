import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** An effect on the outside world, as it stands in the world's own book. */
export interface Effect {
  readonly key: string;
  readonly task: string;
  readonly what: string;
}

/** A world outside Deputy: what was done to it is in a file that no crash of Deputy's takes back. */
export interface World {
  effects(): readonly Effect[];
  done(key: string): Effect | undefined;
  do(effect: Effect): void;
}

export function openWorld(directory: string): World {
  const book = join(directory, "effects.jsonl");
  const effects = (): readonly Effect[] =>
    existsSync(book)
      ? readFileSync(book, "utf8")
          .split("\n")
          .filter((line) => line !== "")
          .map((line): Effect => JSON.parse(line))
      : [];
  return {
    effects,
    done: (key) => effects().find((effect) => effect.key === key),
    do: (effect) => appendFileSync(book, `${JSON.stringify(effect)}\n`),
  };
}

/** What a tool gives for an input: the same in every run, so that runs can be compared. */
export function answerTo(what: string): { readonly n: number } {
  return { n: Array.from(what).reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 9_973, 7) };
}
