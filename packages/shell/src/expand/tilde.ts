import type { Shell } from "../run/shell.ts";

/** `~`, `~+`, `~-`, `~user`; what is nobody's home stays as it is. */
export function expandTilde(shell: Shell, user: string): string {
  if (user === "") return shell.variables.text("HOME") ?? "/home/user";
  if (user === "+") return shell.variables.text("PWD") ?? shell.cwd;
  if (user === "-") return shell.variables.text("OLDPWD") ?? "~-";
  const numbered = /^([+-]?)(\d+)$/.exec(user);
  if (numbered !== null) {
    const stack = [shell.cwd, ...shell.directories];
    const at = Number(numbered[2]);
    return stack[numbered[1] === "-" ? stack.length - 1 - at : at] ?? `~${user}`;
  }
  return user === "root" ? "/root" : `~${user}`;
}
