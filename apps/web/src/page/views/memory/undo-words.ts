import type { RpcResult } from "@deputy/protocol/rpc";

const WORDS = {
  undone: "",
  unknown: "There is no such change, or it was never made.",
  already: "It was taken back before.",
  changed_since: "The lines are not as the change left them, so nothing was done. Edit the note instead.",
} as const;

/** Why a change was not taken back; empty if it was. */
export function undoWords(outcome: RpcResult<"memory.undo">["outcome"]): string {
  return WORDS[outcome];
}
