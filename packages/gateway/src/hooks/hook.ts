/** How senders show that a delivery is theirs. */
export const hookSchemes = [
  "standard",
  "github",
  "slack",
  "stripe",
  "telegram",
  "telnyx",
  "twilio",
  "none",
] as const;
export type HookScheme = (typeof hookSchemes)[number];

/** A place where somebody else's machine may report what happened. */
export interface Hook {
  /** No other hook ever has it, whatever its name. */
  readonly id: string;
  readonly name: string;
  /** Of the token in its address, in hex. */
  readonly tokenSha256: string;
  readonly scheme: HookScheme;
  /** What signatures are checked with; empty where the scheme has none. */
  readonly secret: string;
  /**
   * Where the sender reaches us, up to the path, when that is through a proxy or a tunnel. By its host, and no
   * other name of that kind, webhooks are served, and nothing else is.
   */
  readonly publicUrl?: string | undefined;
  readonly maxBytes: number;
  readonly maxPerMinute: number;
  /** What is wrong with a payload, if something is. */
  readonly misfit?: ((payload: unknown) => string | undefined) | undefined;
}

/** The names by which hooks can be reached from outside. */
export function hostsOf(hooks: readonly Hook[]): ReadonlySet<string> {
  return new Set(
    hooks.flatMap(({ publicUrl }) => (publicUrl === undefined ? [] : [new URL(publicUrl).host])),
  );
}
