import type { CellId, TurnId } from "@deputy/kit";
import type { Diagnostic, StreamId } from "@deputy/protocol";
import type { Receipt } from "../gate/receipt.ts";
import type { Part } from "../ingress/labelled-text.ts";
import type { Turn } from "../turn/turn.ts";

export interface CellRequest {
  /** Present when the caller has to know the id beforehand. Otherwise the cell gets a new one. */
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
  /** The tool call of the model that the program was made from, if there was one. */
  readonly call?: { readonly name: string; readonly input: unknown };
  /** Calls it may make, when that is less than the limit of any cell. */
  readonly maxCalls?: number | undefined;
  /** What its author was shown besides the conversation: instructions, skills, functions, each with its author. */
  readonly shown?: readonly Part[];
  /** The program came in the text of an answer. */
  readonly isScript?: true;
  /** That text is without it. */
  readonly apart?: true;
  /** It had no end tag. */
  readonly unclosed?: true;
  /**
   * Present when the program must not run: the reason, written for the model. The record shows a program that did not
   * pass its check.
   */
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

/** The outcome of running a program. */
export interface Ran {
  readonly resultJson: string | undefined;
  readonly logs: readonly string[];
  /** The tools that wrote the last of these lines, one for each. */
  readonly logSources?: readonly string[] | undefined;
  readonly receipts: readonly Receipt[];
}
