import { nearestPaths } from "@deputy/codemode/nearest-names";
import type { Catalogue } from "../catalogue.ts";
import { isSameNamespace } from "../discovery-source.ts";

/** A namespace of more tools is listed, not declared. */
const MOST_DECLARED = 12;
const MOST_LISTED = 60;

export interface LookedUp {
  /** Tools to declare. */
  readonly paths: readonly string[];
  /** What is to be said about the others, a line each. */
  readonly notes: readonly string[];
  /** Those of the wanted paths that mean nothing. */
  readonly unknown: readonly string[];
}

/**
 * The tools that somebody means by these paths: a namespace stands for its tools, `tools.` before a path is no part of
 * it, and for a path that does not exist the nearest ones are named, or else what its namespace has.
 */
export function lookUpPaths(catalogue: Pick<Catalogue, "get" | "list">, wanted: readonly string[]): LookedUp {
  const all = catalogue.list().map(({ path }) => path);
  const paths = new Set<string>();
  const notes: string[] = [];
  const unknown: string[] = [];
  for (const given of wanted) {
    const path = given.trim().replace(/^tools\./, "");
    const within = all.filter((one) => one.startsWith(`${path}.`));
    if (catalogue.get(path) !== undefined) paths.add(path);
    else if (within.length > MOST_DECLARED) {
      const listed = within.slice(0, MOST_LISTED);
      const more = within.length > listed.length ? `, and ${within.length - listed.length} more` : "";
      notes.push(`${path} has ${within.length} tools; describe those you need: ${listed.join(", ")}${more}.`);
    } else if (within.length > 0) for (const one of within) paths.add(one);
    else {
      unknown.push(path);
      // A stranger's names are told to nobody who did not ask for them.
      const own = all.filter(
        (one) => catalogue.get(one)?.describedBy === undefined || isSameNamespace(one, path),
      );
      const near = nearestPaths(path, own);
      const hint = near.length > 0 ? `The nearest are ${near.join(", ")}.` : whatIsAround(path, all);
      notes.push(`There is no tool ${path}. ${hint}`);
    }
  }
  return { paths: [...paths], notes, unknown };
}

/** The tools of the innermost namespace of a path that exists. */
function whatIsAround(path: string, all: readonly string[]): string {
  for (let end = path.lastIndexOf("."); end > 0; end = path.lastIndexOf(".", end - 1)) {
    const within = all.filter((one) => one.startsWith(path.slice(0, end + 1)));
    if (within.length === 0) continue;
    const more = within.length > MOST_DECLARED ? `, and ${within.length - MOST_DECLARED} more` : "";
    return `${path.slice(0, end)} has ${within.slice(0, MOST_DECLARED).join(", ")}${more}.`;
  }
  return "Search for one by what it does.";
}

/** The declarations of the tools that are meant, and notes about the rest as comments. */
export function describePaths(
  catalogue: Pick<Catalogue, "get" | "list" | "describe">,
  wanted: readonly string[],
  amount?: "brief" | "whole",
): string {
  const { paths, notes } = lookUpPaths(catalogue, wanted);
  return [
    ...(paths.length === 0 ? [] : [catalogue.describe(paths, amount)]),
    ...notes.map((note) => `// ${note}`),
  ].join("\n");
}
