import { makeVisible } from "@deputy/kit";
import type { Catalogue } from "@deputy/tools";
import { AppError } from "../../app-error.ts";
import { nearestNames } from "../command-line.ts";

/** The paths of all tools at or below the given names; all tools when no name is given. Throws `unknown_tool`. */
export function selectTools(catalogue: Catalogue, names: readonly string[]): readonly string[] {
  const all = catalogue.list().map(({ path }) => path);
  if (names.length === 0) return all;
  const wanted = names.map((name) => ({ name, found: all.filter((path) => isAtOrUnder(path, name)) }));
  const unknown = wanted.filter(({ found }) => found.length === 0).map(({ name }) => name);
  if (unknown.length === 0) return [...new Set(wanted.flatMap(({ found }) => found))].sort();

  const near = unknown.flatMap((name) => nearestNames(name, withNamespaces(all)));
  const known =
    near.length > 0 ? `Did you mean ${near.join(", ")}?` : "`deputy tools list` shows what there is.";
  const quoted = unknown.map((name) => `“${makeVisible(name)}”`).join(", ");
  throw new AppError("unknown_tool", `There is no tool or namespace ${quoted}`, {
    hint: known,
  });
}

function isAtOrUnder(path: string, name: string): boolean {
  return path === name || path.startsWith(`${name}.`);
}

function withNamespaces(paths: readonly string[]): ReadonlySet<string> {
  return new Set(
    paths.flatMap((path) => path.split(".").map((_, index, parts) => parts.slice(0, index + 1).join("."))),
  );
}
