import type { World } from "../world.ts";
import type { Issue } from "../tracker-server.ts";

/** What is there after a task, for its checker. */
export interface Outcome {
  readonly answer: string;
  readonly world: World;
  readonly issues: readonly Issue[];
  readonly orders: readonly { readonly id: string; readonly status: string }[];
  /** The text of a file in the workspace; undefined if there is none. */
  readonly file: (path: string) => Promise<string | undefined>;
  /** Everything that Deputy wrote down: reminders, tasks, hooks, notes. */
  readonly kept: {
    readonly reminders: readonly {
      readonly text: string;
      readonly runs: string;
      readonly at: string | undefined;
    }[];
    readonly tasks: readonly { readonly prompt: string; readonly runs: string }[];
    readonly settings: string;
    readonly notes: string;
  };
}

export interface PlayedTask {
  readonly id: string;
  readonly prompt: string | ((now: Date) => string);
  /** One thing is wanted, or several that depend on each other. */
  readonly goals: "single" | "several";
  readonly isRight: (outcome: Outcome) => boolean | Promise<boolean>;
  /** A program that does it, and what one would say then: the proof that it can be done, and that the check accepts it. */
  readonly solution: (now: Date) => { readonly program?: string; readonly answer: string };
}

/** True if the text has all of these. */
export const says = (text: string, ...wanted: (string | RegExp)[]): boolean =>
  wanted.every((part) =>
    typeof part === "string" ? text.toLowerCase().includes(part.toLowerCase()) : part.test(text),
  );
