/** How senders prove that a delivery is theirs. */
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

/** An address where another system may report events. */
export interface Hook {
  /** No other hook ever has this id, not even one with the same name. */
  readonly id: string;
  readonly name: string;
  /** Hash of the token in its address, in hex. */
  readonly tokenSha256: string;
  readonly scheme: HookScheme;
  /** The secret for checking signatures; empty when the scheme has none. */
  readonly secret: string;
  /**
   * The public address up to the path, if the sender reaches us through a proxy or a tunnel. Under its host, webhooks
   * are served and nothing else.
   */
  readonly publicUrl?: string | undefined;
  readonly maxBytes: number;
  readonly maxPerMinute: number;
  /** Describes what is wrong with a payload, if anything is. */
  readonly misfit?: ((payload: unknown) => string | undefined) | undefined;
}

/** The names by which hooks can be reached from outside. */
export function hostsOf(hooks: readonly Hook[]): ReadonlySet<string> {
  return new Set(
    hooks.flatMap(({ publicUrl }) => (publicUrl === undefined ? [] : [new URL(publicUrl).host])),
  );
}
