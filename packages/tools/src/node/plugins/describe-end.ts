import { ToolsError } from "../../tools-error.ts";
import type { HostEnd } from "./start-host.ts";

/** The reason why a host has ended, as far as it is known before its process exits. */
export type Doom =
  /** We ended it; why, as the end of a sentence. */
  | { readonly kind: "killed"; readonly why: string }
  | { readonly kind: "stray"; readonly how: "thrown" | "rejected"; readonly what: string };

/** Describes the end of a host to the caller of a call in it. */
export interface EndInWords {
  /** To be read after the plugin's name. */
  readonly what: string;
  /** See `ToolsError`; absent when the message contains the plugin's own words. */
  readonly quotes: readonly string[] | undefined;
}

export function describeEnd(
  { code, signal, said, offence }: HostEnd,
  doom: Doom | undefined,
  memoryMb: number,
): EndInWords {
  const own = (what: string): EndInWords => ({ what, quotes: [] });
  if (doom?.kind === "killed") return own(`was ended, since ${doom.why}`);
  if (doom?.kind === "stray") {
    const how =
      doom.how === "thrown" ? "threw an error that nothing caught" : "left a rejected promise unhandled";
    return { what: `${how}: ${doom.what}`, quotes: undefined };
  }
  if (offence !== undefined) return own(offence);
  if (/heap out of memory|Allocation failed/.test(said))
    return own(`ran out of memory (it may have ${memoryMb} MB)`);
  if (signal !== null) return own(`was ended by ${signal}`);
  return own(code === null ? "could not be started" : `ended its process (exit code ${code})`);
}

/**
 * The error of a call that was running in the host. If the call may have had an effect, it is unknown whether it had.
 */
export function crashOf(
  file: string,
  { what, quotes }: EndInWords,
  path: string,
  mayHaveHappened: boolean,
): ToolsError {
  const message = `While ${path} ran, the plugin ${file} ${what}. It is started again when it is needed next.`;
  if (!mayHaveHappened) return new ToolsError("plugin_crashed", message, { quotes });
  return new ToolsError("outcome_unknown", `${message} Whether the call took effect is not known.`, {
    quotes,
  });
}
