import { DEFAULT_ALLOWED_COMMANDS } from "@deputy/shell-gate";

/** What a plain allowlist does: the first word decides. */
export function judgeByFirstWord(command: string): "allow" | "ask" {
  const [first = ""] = command.trim().split(/\s+/);
  return DEFAULT_ALLOWED_COMMANDS.includes(first) ? "allow" : "ask";
}
