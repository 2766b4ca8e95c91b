/** A shell, a subshell in the background or a stage of a pipeline, to whoever sends it signals. */
export interface Process {
  readonly pid: number;
  /** Signals that came and were not looked at yet, by name. */
  readonly pending: string[];
  readonly abort: AbortController;
  /** How it takes a signal: true if there is a trap for it, or it is ignored. */
  handles(signal: string): boolean;
  /** The traps of the shell that it is. */
  traps: ReadonlyMap<string, string> | undefined;
}

export const SIGNALS: Readonly<Record<string, number>> = {
  HUP: 1,
  INT: 2,
  QUIT: 3,
  ILL: 4,
  TRAP: 5,
  ABRT: 6,
  BUS: 7,
  FPE: 8,
  KILL: 9,
  USR1: 10,
  SEGV: 11,
  USR2: 12,
  PIPE: 13,
  ALRM: 14,
  TERM: 15,
  STKFLT: 16,
  CHLD: 17,
  CONT: 18,
  STOP: 19,
  TSTP: 20,
  TTIN: 21,
  TTOU: 22,
  URG: 23,
  XCPU: 24,
  XFSZ: 25,
  VTALRM: 26,
  PROF: 27,
  WINCH: 28,
  IO: 29,
  PWR: 30,
  SYS: 31,
};

const BY_NUMBER = new Map(Object.entries(SIGNALS).map(([name, number]) => [number, name]));

/** `TERM`, `SIGTERM`, `term` and `15` are TERM; undefined if it is no signal. */
export function signalName(text: string): string | undefined {
  if (/^\d+$/.test(text)) return BY_NUMBER.get(Number(text));
  const name = text.toUpperCase().replace(/^SIG/, "");
  return name in SIGNALS ? name : undefined;
}

/** The abort reason of a process that a signal ended. */
export class Killed extends Error {
  readonly signal: string;

  constructor(signal: string) {
    super(`SIG${signal}`);
    this.signal = signal;
  }

  get status(): number {
    return 128 + (SIGNALS[this.signal] ?? 0);
  }
}

/** Does nothing to a process that ignores it or has a trap, except to note it for the trap. */
export function sendSignal(target: Process, signal: string): void {
  if (signal !== "KILL" && signal !== "STOP" && target.handles(signal)) target.pending.push(signal);
  else if (!["CHLD", "CONT", "URG", "WINCH"].includes(signal)) target.abort.abort(new Killed(signal));
}
