import type { CellId, TurnId } from "@deputy/kit";
import type { Origins } from "@deputy/policy";
import type { Label, StreamId } from "@deputy/protocol";
import type { CellPlans } from "../plan/cell-plans.ts";
import type { PriorCall } from "./prior-call.ts";

/** Where a call belongs. */
export interface CallPlace {
  readonly stream: StreamId;
  readonly turnId: TurnId;
  readonly cellId: CellId;
  /** Position among the cell's calls, from 0. */
  readonly index: number;
  readonly toolPath: string;
  /** Numbers the cell's settlements, from 0; asked right before one is written down. */
  readonly nextOrder: () => number;
}

/** One tool call on its way to the gate. */
export interface CallRequest extends CallPlace {
  /** The path that the program called it by, where that is an alias. */
  readonly calledAs?: string | undefined;
  readonly inputJson: string;
  /** Hash of the program that makes the call; an approval is bound to it. */
  readonly programHash: string;
  readonly sessionKey: string;
  /** Labels of everything the program has seen so far. */
  readonly labels: readonly Label[];
  /** The same, value by value. */
  readonly origins?: Origins | undefined;
  readonly log: (message: string) => void;
  /** Called when the call begins or stops waiting for the user. */
  readonly setWaiting: (isWaiting: boolean) => void;
  /** Gathers the call's question with others. Absent: the call asks on its own. */
  readonly plans?: CellPlans | undefined;
  /** The same call as an earlier process left it. */
  readonly prior?: PriorCall | undefined;
}
