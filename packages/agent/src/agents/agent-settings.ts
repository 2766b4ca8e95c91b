import type { Effort } from "@deputy/model";
import type { AgentMode } from "../turn/offer.ts";
import type { TurnBudget, TurnLimits } from "../budget/turn-limits.ts";

/** One agent's part of the configuration. A setting that is left out has the value that all agents have. */
export interface AgentSettings {
  /** `provider/model`. */
  readonly model?: string | undefined;
  /** The models that answer if that one fails, in this order. */
  readonly fallbacks?: readonly string[] | undefined;
  readonly effort?: Effort | undefined;
  /** Which tools it has; see `createToolSet`. */
  readonly tools?: readonly string[] | undefined;
  readonly mode?: AgentMode | undefined;
  readonly limits?: Partial<Omit<TurnLimits, "budget">> | undefined;
  readonly budget?: TurnBudget | undefined;
}

export interface AgentsSettings {
  /** The agent that is meant when none is named; it is there even without a folder. */
  readonly defaultAgent: string;
  readonly forAll: AgentSettings;
  readonly bySlug: ReadonlyMap<string, AgentSettings>;
}
