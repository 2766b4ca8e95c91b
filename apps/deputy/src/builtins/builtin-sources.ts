import type { ToolSource } from "@deputy/tools";

/** The user's sources and Deputy's own tools; a source with a namespace of the same name replaces Deputy's. */
export function withBuiltins(builtins: ToolSource, sources: readonly ToolSource[]): readonly ToolSource[] {
  const tree = Object.fromEntries(
    Object.entries(builtins.tree).filter(
      ([name]) => !sources.some((other) => Object.hasOwn(other.tree, name)),
    ),
  );
  return [{ ...builtins, tree }, ...sources];
}
