import { nameSources, withRead, writeValueReason } from "@deputy/protocol";
import { remembered } from "../remembered.ts";
import type { OriginFinding } from "./origin-finding.ts";

const nameSource = remembered((source: string): string => nameSources([source]));
/** The elements of a list are all described after the same was read. */
const endings = new WeakMap<readonly string[], string>();

function ended(sentence: string, untrusted: readonly string[]): string {
  const ending = endings.get(untrusted) ?? withRead("", untrusted);
  endings.set(untrusted, ending);
  return `${sentence}${ending}`;
}

/** Why a value is asked about, in a sentence for the user. */
export function describeOrigin(
  { path, value, origin }: Omit<OriginFinding, "words">,
  untrusted: readonly string[],
): string {
  return writeValueReason({ path, value, words: wordsFor(origin, untrusted) });
}

function wordsFor(origin: OriginFinding["origin"], untrusted: readonly string[]): string {
  switch (origin.kind) {
    case "untrusted":
      return `comes from ${nameSource(origin.source)}, not from you.`;
    case "trusted":
      return ended(`comes from ${nameSource(origin.source)}, but nothing you said selects it`, untrusted);
    default:
      return ended("does not come from you or from a source you trust", untrusted);
  }
}

/** Why a read is asked about. */
export function describeSending(
  { path, value, origin }: Omit<OriginFinding, "words">,
  toolPath: string,
): string {
  const what = `${path === "" ? "The input" : path} would send ${JSON.stringify(value)}`;
  return origin.kind === "untrusted"
    ? `${what}, from ${nameSources([origin.source])}, to ${toolPath}.`
    : `${what} to ${toolPath}, and that comes neither from you nor from there.`;
}

/** Why a call is asked about that has no value to be explained. */
export function describeUnsaid(toolPath: string, untrusted: readonly string[]): string {
  return withRead(`No value in this call of ${toolPath} comes from you`, untrusted);
}

/** Why a call is asked about that the user declined before. */
export function describeDeclined(toolPath: string): string {
  return `You said no to the same call of ${toolPath}, and have not asked for it since.`;
}
