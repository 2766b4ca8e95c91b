export interface Job {
  readonly id: number;
  readonly pid: number;
  readonly text: string;
  readonly done: Promise<number>;
  /** Set when it has ended. */
  status: number | undefined;
  /** A subshell knows the jobs of its parent, and cannot wait for them. */
  readonly inherited: boolean;
  /** True once `wait` has told its status: no `%1` means it any more. */
  waited: boolean;
}
