import type { CallId } from "@deputy/kit";
import type { CallStatus } from "@deputy/protocol";

/** What is left of a call once it has ended: for the model, the user and the record. */
export interface Receipt {
  readonly callId: CallId;
  readonly toolPath: string;
  readonly status: CallStatus;
  readonly durationMs: number;
  readonly input: unknown;
  /** JSON text; only for a call that succeeded. */
  readonly resultJson?: string;
  /** Why it did not succeed: the code is stable, the message safe to show. */
  readonly error?: { readonly code: string; readonly message: string };
}
