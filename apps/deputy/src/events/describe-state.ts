import type { ShownState } from "./states-file.ts";

/** Describes the state of a source in a few words. Undefined: no daemon watches. */
export function describeState(state: ShownState | undefined): string {
  if (state === undefined) return "not watched: no daemon is running";
  if (state.kind === "connecting") return "connecting";
  if (state.kind === "failed")
    return `failed: ${state.reason}; tried again at ${new Date(state.retryAtMs).toISOString()}`;
  const how = state.by === "polling" ? "watching, asking every minute" : "watching";
  return state.note === undefined ? how : `${how}: ${state.note}`;
}
