import type { ModelMessage } from "@deputy/model";
import type { CanonicalEvent } from "@deputy/protocol";
import { toModelMessage } from "../ingress/prompt.ts";
import { buildHistory as buildLabelled } from "./history.ts";

/** The conversation as a model gets it, without labels. */
export function buildHistory(events: readonly CanonicalEvent[]): ModelMessage[] {
  return buildLabelled(events).map(toModelMessage);
}
