import type { ShellFunction } from "../run/shell.ts";

/** A function as `declare -f` shows it. Its body is shown as it was written, not laid out anew. */
export function functionText(body: ShellFunction): string {
  const text = body.source.replace(/^function\s+/, "").replace(/^\S+?\s*(?:\(\s*\))?\s*(?=[{(])/, "");
  const inner = /^\{\s*([\s\S]*?)\s*;?\s*\}$/.exec(text);
  if (inner === null) return `${body.name} () \n${text}\n`;
  const lines = (inner[1] ?? "").split("\n").map((line) => `    ${line.trim()}`);
  return `${body.name} () \n{ \n${lines.join("\n")}\n}\n`;
}
