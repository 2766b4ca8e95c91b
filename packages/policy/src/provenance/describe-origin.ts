import type { OriginFinding } from "./origin-finding.ts";

const MAX_SOURCES = 3;

/** Why a value is asked about, in a sentence for the user. */
export function describeOrigin(
  { path, value, origin }: Omit<OriginFinding, "words">,
  untrusted: readonly string[],
): string {
  const what = `${path === "" ? "The input" : path} ${JSON.stringify(value)}`;
  switch (origin.kind) {
    case "untrusted":
      return `${what} comes from ${origin.source}, not from you.`;
    case "trusted":
      return `${what} comes from ${origin.source}, but nothing you said selects it, and ${readBefore(untrusted)}.`;
    default:
      return `${what} does not come from you or from a source you trust, and ${readBefore(untrusted)}.`;
  }
}

/** Why a call is asked about that has no value to be explained. */
export function describeUnsaid(toolPath: string, untrusted: readonly string[]): string {
  return `No value in this call of ${toolPath} comes from you, and ${readBefore(untrusted)}.`;
}

function readBefore(sources: readonly string[]): string {
  const named = sources.slice(0, MAX_SOURCES).join(", ");
  const more = sources.length - MAX_SOURCES;
  return `Deputy has read text from ${named}${more > 0 ? ` and ${more} more` : ""}`;
}
