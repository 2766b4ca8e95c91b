import type { CellId, TurnId } from "@deputy/kit";
import type { Diagnostic, StreamId } from "@deputy/protocol";
import type { Receipt } from "../gate/receipt.ts";
import type { Turn } from "../turn/turn.ts";

export interface CellRequest {
  /** Given when somebody has to know it beforehand; else it gets a new one. */
  readonly cellId?: CellId;
  readonly stream: StreamId;
  readonly turnId: TurnId;
  readonly sessionKey: string;
  readonly onWaiting?: Turn["onWaiting"];
  /** `javascript` is not typechecked. */
  readonly language: "typescript" | "javascript";
  readonly code: string;
  /** Which try at this program it is, from 1. */
  readonly attempt: number;
  /** The provider's id of the call that carried the program; absent when a person wrote it. */
  readonly providerCallId?: string;
  /** A client's model wrote it: without a provider's id, and yet no word of the user's. */
  readonly writtenBy?: "model" | undefined;
  /** What the model called, when the program was made from that. */
  readonly call?: { readonly name: string; readonly input: unknown };
  /** Calls it may make, when that is less than the limit of any cell. */
  readonly maxCalls?: number | undefined;
  /** What the agent is configured with: values in it are the user's own. */
  readonly instructions?: string;
  /** The program came in the text of an answer. */
  readonly isScript?: true;
  /** Why it is not to be run, in words for the model: it is on record as a program that did not pass its check. */
  readonly refusal?: string | undefined;
}

export type CellReport =
  /** It did not typecheck; nothing ran. */
  | { readonly kind: "rejected"; readonly cellId: CellId; readonly diagnostics: readonly Diagnostic[] }
  | {
      readonly kind: "completed";
      readonly cellId: CellId;
      /** JSON text; undefined when the program returned nothing. */
      readonly resultJson: string | undefined;
      readonly logs: readonly string[];
      readonly receipts: readonly Receipt[];
    }
  | {
      readonly kind: "failed";
      readonly cellId: CellId;
      readonly failure: { readonly code: string; readonly message: string; readonly line?: number };
      readonly logs: readonly string[];
      readonly receipts: readonly Receipt[];
    };

/** What running a program left behind. */
export interface Ran {
  readonly resultJson: string | undefined;
  readonly logs: readonly string[];
  readonly receipts: readonly Receipt[];
}
