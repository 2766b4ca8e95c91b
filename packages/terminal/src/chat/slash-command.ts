import { effortSchema } from "@deputy/protocol";

type Effort = (typeof effortSchema.options)[number];

/** The commands of the terminal itself. */
export type SlashCommand =
  | { readonly name: (typeof SIMPLE)[number] }
  | { readonly name: "switch"; readonly session: string }
  /** Without an effort: show the current one. Null: go back to the one of the settings. */
  | { readonly name: "effort"; readonly effort?: Effort | null }
  /** As for the effort. */
  | { readonly name: "model"; readonly model?: string | null }
  /** By its number in the list. */
  | { readonly name: "revoke"; readonly grant: number };

export type SlashRead =
  /** It may be one of the user's own. */
  | { readonly kind: "other"; readonly name: string; readonly args: string }
  | { readonly kind: "command"; readonly command: SlashCommand }
  | { readonly kind: "wrong"; readonly message: string }
  | { readonly kind: "message" };

const SIMPLE = [
  "help",
  "new",
  "sessions",
  "usage",
  "grants",
  "expand",
  "exit",
  "tasks",
  "approvals",
] as const;

export const SLASH_HELP: readonly (readonly [string, string])[] = [
  ["/new", "begins a new session"],
  ["/sessions", "the sessions used last"],
  ["/switch NAME", "switches to another session, or begins one of that name"],
  ["/effort LEVEL", "how much the model reasons here: none to max, or default"],
  ["/model NAME", "which model answers here, as provider/model, or default"],
  ["/tasks", "what runs, waits and is planned"],
  ["/approvals", "the questions that wait, in all conversations"],
  ["/usage", "what this session took"],
  ["/grants", "what you allowed in this conversation beyond one call"],
  ["/revoke N", "takes one of these back"],
  ["/expand", "shows programs and calls whole, or short again (Ctrl-O)"],
  ["/help", "this"],
  ["/exit", "leaves"],
];

/**
 * A line is a command when it begins with one word after a slash: `/etc/hosts` is a message, and a colon after the word is no part of it. The terminal's own
 * are heard in capitals, too; a slash alone asks what there is.
 */
export function readSlash(text: string): SlashRead {
  if (text.trim() === "/") return { kind: "command", command: { name: "help" } };
  const [, word, rest = ""] = /^\/([a-z][a-z0-9-]*):?(?:\s+(.*))?$/is.exec(text.trim()) ?? [];
  if (word === undefined) return { kind: "message" };
  const name = word.toLowerCase();
  const argument = rest.trim();
  if (name === "switch") {
    if (argument === "") return { kind: "wrong", message: "/switch needs the name, key or id of a session." };
    return { kind: "command", command: { name, session: argument } };
  }
  if (name === "effort") return readEffort(argument.toLowerCase());
  if (name === "model") {
    if (/\s/.test(argument)) return { kind: "wrong", message: "/model takes one name, as provider/model." };
    const model = argument.toLowerCase() === "default" ? null : argument;
    return { kind: "command", command: argument === "" ? { name } : { name, model } };
  }
  if (name === "revoke") {
    if (!/^[1-9]\d{0,5}$/.test(argument))
      return { kind: "wrong", message: "/revoke needs a number of the list that /grants shows." };
    return { kind: "command", command: { name, grant: Number(argument) } };
  }
  const simple = SIMPLE.find((known) => known === (name === "quit" ? "exit" : name));
  if (simple === undefined)
    return word === name ? { kind: "other", name, args: argument } : { kind: "message" };
  if (argument !== "") return { kind: "wrong", message: `/${name} takes no arguments.` };
  return { kind: "command", command: { name: simple } };
}

function readEffort(level: string): SlashRead {
  if (level === "") return { kind: "command", command: { name: "effort" } };
  const effort = level === "default" ? null : effortSchema.options.find((known) => known === level);
  if (effort === undefined)
    return {
      kind: "wrong",
      message: `/effort takes ${effortSchema.options.join(", ")}, or default for what the settings say.`,
    };
  return { kind: "command", command: { name: "effort", effort } };
}
