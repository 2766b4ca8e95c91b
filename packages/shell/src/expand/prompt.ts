import { formatDate } from "../text/strftime.ts";
import type { Shell } from "../run/shell.ts";

/** Text that a later expansion leaves as it is. */
const quoted = (text: string): string => text.replaceAll(/[\\$`]/g, "\\$&");

/** The backslash sequences of `PS1`, `PS4` and `${x@P}`. */
export function expandPrompt(shell: Shell, text: string): string {
  const date = new Date(shell.runtime.now());
  const two = (value: number): string => String(value).padStart(2, "0");
  const home = shell.variables.text("HOME");
  const user = shell.variables.text("USER") ?? "user";
  const host = shell.variables.text("HOSTNAME") ?? "localhost";
  const where =
    home !== undefined && (shell.cwd === home || shell.cwd.startsWith(`${home}/`))
      ? `~${shell.cwd.slice(home.length)}`
      : shell.cwd;
  const simple: Readonly<Record<string, () => string>> = {
    a: () => "\u0007",
    d: () => date.toDateString().slice(0, 10),
    e: () => "\u001b",
    h: () => host.split(".")[0] ?? host,
    H: () => host,
    j: () => String(shell.jobs.length),
    l: () => "tty",
    n: () => "\n",
    r: () => "\r",
    s: () => shell.name.split("/").pop() ?? shell.name,
    t: () => `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`,
    T: () => `${two(((date.getHours() + 11) % 12) + 1)}:${two(date.getMinutes())}:${two(date.getSeconds())}`,
    A: () => `${two(date.getHours())}:${two(date.getMinutes())}`,
    "@": () =>
      `${two(((date.getHours() + 11) % 12) + 1)}:${two(date.getMinutes())} ${date.getHours() < 12 ? "AM" : "PM"}`,
    u: () => user,
    v: () => "5.2",
    V: () => "5.2.15",
    w: () => quoted(where),
    W: () => quoted(where === "~" ? where : (shell.cwd.split("/").pop() ?? "/") || "/"),
    "!": () => "1",
    "#": () => "1",
    $: () => (shell.variables.text("EUID") === "0" ? "#" : "$"),
    "\\": () => "\\\\",
    "[": () => "",
    "]": () => "",
  };
  return text.replaceAll(
    /\\(?:([0-7]{3})|D\{([^}]*)\}|(.))/gs,
    (all, octal?: string, format?: string, char?: string) => {
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
      if (format !== undefined)
        return formatDate(
          format === "" ? "%X" : format,
          shell.runtime.now() / 1000,
          shell.variables.text("TZ") ?? "UTC",
        );
      return simple[char ?? ""]?.() ?? all;
    },
  );
}
