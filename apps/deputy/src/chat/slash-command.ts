/** What can be said to the terminal itself. */
export type SlashCommand =
  | { readonly name: "help" | "new" | "sessions" | "usage" | "expand" | "exit" }
  | { readonly name: "switch"; readonly session: string };

export type SlashRead =
  /** It may be one of the user's own. */
  | { readonly kind: "other"; readonly name: string; readonly args: string }
  | { readonly kind: "command"; readonly command: SlashCommand }
  | { readonly kind: "wrong"; readonly message: string }
  | { readonly kind: "message" };

const SIMPLE = ["help", "new", "sessions", "usage", "expand", "exit"] as const;

export const SLASH_HELP: readonly (readonly [string, string])[] = [
  ["/new", "begins anew"],
  ["/sessions", "the sessions used last"],
  ["/switch NAME", "goes on with another session, or begins one of that name"],
  ["/usage", "what this session took"],
  ["/expand", "shows programs and calls whole, or short again (Ctrl-O)"],
  ["/help", "this"],
  ["/exit", "leaves"],
];

/** A line is a command when it begins with one word after a slash: `/etc/hosts` is a message. */
export function readSlash(text: string): SlashRead {
  const [, name, rest = ""] = /^\/([a-z][a-z0-9-]*)(?:\s+(.*))?$/s.exec(text.trim()) ?? [];
  if (name === undefined) return { kind: "message" };
  const argument = rest.trim();
  if (name === "switch") {
    if (argument === "") return { kind: "wrong", message: "/switch needs the name, key or id of a session." };
    return { kind: "command", command: { name, session: argument } };
  }
  const simple = SIMPLE.find((known) => known === (name === "quit" ? "exit" : name));
  if (simple === undefined) return { kind: "other", name, args: argument };
  if (argument !== "") return { kind: "wrong", message: `/${name} takes nothing after it.` };
  return { kind: "command", command: { name: simple } };
}
