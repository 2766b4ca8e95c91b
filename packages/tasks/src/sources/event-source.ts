import type { Accepted, Delivery } from "../inbox/inbox.ts";

/** The state of a source that is working. */
export type SourceProgress =
  | { readonly kind: "connecting" }
  /**
   * `polling`: nothing announces news to the source, so it looks every minute. `note`: something the user should
   * know.
   */
  | { readonly kind: "watching"; readonly by: "push" | "polling"; readonly note?: string };

export type SourceState =
  | SourceProgress
  /** `reason` and `hint` are for the user to read. It is opened again at `retryAtMs`. */
  | {
      readonly kind: "failed";
      readonly code: string;
      readonly reason: string;
      readonly hint?: string;
      readonly retryAtMs: number;
    };

export interface SourceContext {
  /** Durable once resolved; repeating it adds nothing. Rejects like `Inbox.accept`. */
  readonly accept: (delivery: Delivery) => Promise<Accepted>;
  readonly onState: (state: SourceProgress) => void;
  readonly signal: AbortSignal;
}

/** Something that is watched. Everything that happens there becomes a delivery to the inbox. */
export interface EventSource {
  /** Unique among sources and hooks, because subscribers name it. */
  readonly name: string;
  /**
   * Catches up with what happened since it was last open, then watches. Rejects once it cannot continue, with
   * `source_unreachable`, `source_refused`, `source_misbehaved` or `cursor_unusable`, like `accept`, or with
   * the signal's reason. It can then be opened again, and nothing is lost or delivered twice.
   */
  open(context: SourceContext): Promise<never>;
}
