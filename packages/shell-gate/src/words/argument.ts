/** What is known, before it runs, of one thing a command is given. */
export type Argument =
  | { readonly kind: "known"; readonly text: string; readonly typed: "literal" | "expanded" }
  /** `<(…)` or `>(…)`: a pipe to commands that are judged themselves. */
  | { readonly kind: "pipe" }
  /** A file that `find -type f` finds. */
  | { readonly kind: "found" }
  | {
      readonly kind: "unknown";
      readonly why: string;
      /** Unquoted, it may become none or several. */
      readonly count: "one" | "many";
      /** True if it could begin with a dash and so be an option. */
      readonly start: "any" | "operand";
    };

export type KnownArgument = Extract<Argument, { readonly kind: "known" }>;

export function known(text: string, typed: KnownArgument["typed"] = "literal"): KnownArgument {
  return { kind: "known", text, typed };
}

export function isKnown(argument: Argument | undefined, text?: string): argument is KnownArgument {
  return argument?.kind === "known" && (text === undefined || argument.text === text);
}

export function textOf(argument: Argument | undefined): string | undefined {
  return argument?.kind === "known" ? argument.text : undefined;
}
