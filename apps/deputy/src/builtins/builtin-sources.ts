import type { ToolSource } from "@deputy/tools";

/** The user's sources and Deputy's own tools; these give way where a source has a namespace of the same name. */
export function withBuiltins(builtins: ToolSource, sources: readonly ToolSource[]): readonly ToolSource[] {
  const tree = Object.fromEntries(
    Object.entries(builtins.tree).filter(
      ([name]) => !sources.some((other) => Object.hasOwn(other.tree, name)),
    ),
  );
  return [{ ...builtins, tree }, ...sources];
}
