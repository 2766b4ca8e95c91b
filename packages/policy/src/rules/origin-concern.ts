import type { PolicyRequest, PolicyTool } from "../policy.ts";
import { judgeOrigins } from "../provenance/judge-origins.ts";

/** What the origins of a call's values give reason to ask about. */
export interface OriginConcern {
  /** The sources of untrusted text; empty if none was read. */
  readonly sources: readonly string[];
  /** One sentence for each critical value that nothing explains; empty when there is none. */
  readonly words: readonly string[];
}

/**
 * Reads are no concern, because their input changes nothing. Without origins, every critical value is
 * suspect.
 */
export function judgeRequest({ tool, input, origins, labels }: PolicyRequest): OriginConcern {
  const labelled = labels.filter((label) => label.trust === "untrusted").map((label) => label.source);
  const sources = [...new Set([...(origins?.untrusted ?? []), ...labelled])].sort();
  if (tool.effect === "read" || sources.length === 0) return { sources, words: [] };
  if (origins !== undefined) {
    const { trace, echoes, asksForAll } = origins;
    const told = { untrusted: sources, trace, echoes, asksForAll };
    return { sources, words: judgeOrigins({ tool, input, origins: told }).map(({ words }) => words) };
  }
  const names = criticalNames(tool, input);
  if (names.length === 0) return { sources, words: [] };
  return {
    sources,
    words: [
      `It is not known where ${names.join(", ")} came from, and Deputy has read text from ${sources.join(", ")}.`,
    ],
  };
}

/** The critical arguments of a call; the whole input if it is not an object. */
function criticalNames(tool: PolicyTool, input: unknown): readonly string[] {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return ["the input"];
  const given = Object.keys(input);
  const { critical } = tool;
  return critical === "all" ? given : given.filter((name) => critical.includes(name));
}
