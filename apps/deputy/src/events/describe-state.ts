import type { ShownState } from "./states-file.ts";

/** How a source is getting on, in a few words. Undefined: no daemon watches. */
export function describeState(state: ShownState | undefined): string {
  switch (state?.kind) {
    case undefined:
      return "not watched: no daemon is running";
    case "connecting":
      return "connecting";
    case "watching":
      return [
        "watching",
        state.by === "polling" ? ", asking every minute" : "",
        state.note ? `: ${state.note}` : "",
      ].join("");
    case "failed":
      return `failed: ${state.reason}; tried again at ${new Date(state.retryAtMs).toISOString()}`;
  }
}
