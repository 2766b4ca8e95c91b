import type { FromBox, ToBox } from "../box-messages.ts";
import type { ContainedLimitName } from "../contained-shell.ts";

/** Where scripts run: a thread of this process, or a process in a sandbox. */
export interface Box {
  post(message: ToBox): void;
  /** Undone by what it gives. */
  listen(receive: (message: FromBox) => void): () => void;
  /** What it has computed so far. Rejects once it has ended. */
  cpuMs(): Promise<number>;
  /** Ends it. Idempotent. */
  end(): Promise<void>;
  /** Resolves when it has ended, with what ended it if nobody asked for that. */
  readonly ended: Promise<Died | undefined>;
  /** While nothing runs, it keeps this process from nothing. */
  hold(what: "runs" | "waits"): void;
}

export interface Died {
  readonly limit: ContainedLimitName;
  readonly message: string;
}
