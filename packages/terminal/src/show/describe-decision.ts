import type { DecisionBlock } from "../chat/chat-block.ts";

/** Who answered what; of a plan, also how much of it was left out. */
export function describeDecision({ decision, by, part }: DecisionBlock): string {
  return part === undefined ? `${decision} by ${by}` : `${part.approved} of ${part.of} approved by ${by}`;
}
