/** The exit codes of every command. */
export const EXIT = { done: 0, failed: 1, usage: 2, denied: 3 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
