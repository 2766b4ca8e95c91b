import { MAX_COMMANDS, MAX_REASONS } from "./limits.ts";
import type { ShellVerdict } from "./shell-verdict.ts";

export interface Touch {
  readonly path: string;
  readonly by: string;
  /** Which simple command of the line. */
  readonly at: number;
  readonly how?: "read" | "write";
}

/** What one command line does to names, so that its parts can be compared with each other. */
export interface Effects {
  /** Resolved paths that are read or written. */
  readonly touched: Touch[];
  readonly written: string[];
  /** Resolved paths where links or whole trees may appear, so that what was looked up there no longer holds. */
  readonly reshaped: Touch[];
  /** How many simple commands were judged so far. */
  commands: number;
  globs: number;
  gitRuns: number;
  /** What may go on for ever, or is larger than a file should become unasked. */
  readonly endless: Endless[];
  /** What the last command lets through of what it reads: so many bytes at most, or so many lines. */
  limits: "bytes" | "lines" | undefined;
  /** How many scripts were judged so far, those of substitutions included. */
  scripts: number;
}

export interface Endless {
  readonly why: string;
  /** `lines` if each of them is short. */
  readonly comesIn: "lines" | "bytes";
}

/** Collects findings while one command line is judged. */
export interface Judgement {
  readonly ask: (reason: string) => void;
  readonly deny: (reason: string) => void;
  /** Counts one more simple command; false once there are too many. */
  readonly countCommand: () => boolean;
  readonly effects: Effects;
  readonly verdict: () => ShellVerdict;
}

export function createJudgement(): Judgement {
  const asks = new Set<string>();
  const denies = new Set<string>();
  const effects: Effects = {
    touched: [],
    written: [],
    reshaped: [],
    commands: 0,
    globs: 0,
    gitRuns: 0,
    endless: [],
    limits: undefined,
    scripts: 0,
  };
  const ask = (reason: string): void => void (asks.size < MAX_REASONS && asks.add(reason));
  return {
    ask,
    deny: (reason) => void (denies.size < MAX_REASONS && denies.add(reason)),
    countCommand: () => {
      effects.commands += 1;
      if (effects.commands > MAX_COMMANDS) ask(`it runs more than ${MAX_COMMANDS} commands`);
      return effects.commands <= MAX_COMMANDS;
    },
    effects,
    verdict: () => {
      if (denies.size > 0) return { verdict: "deny", reasons: [...denies, ...asks].slice(0, MAX_REASONS) };
      return { verdict: asks.size > 0 ? "ask" : "allow", reasons: [...asks] };
    },
  };
}
