import type { FromBox, ToBox } from "../box-messages.ts";
import type { Died } from "./box.ts";

/** What the process in a sandbox is told; programs go as bytes, since modules cannot leave a process. */
export type ToProcess =
  | { readonly kind: "tools"; readonly bytes: Uint8Array }
  | { readonly kind: "to"; readonly message: Exclude<ToBox, { kind: "program" }> }
  | {
      readonly kind: "program";
      readonly sha256: string;
      readonly brought: ProgramBytes | { readonly refused: string };
    };

export interface ProgramBytes {
  readonly bytes: Uint8Array;
  readonly maxMemoryBytes: number;
}

export type FromProcess =
  | { readonly kind: "from"; readonly message: FromBox }
  | { readonly kind: "computed"; readonly ms: number }
  | { readonly kind: "died"; readonly died: Died | undefined };
