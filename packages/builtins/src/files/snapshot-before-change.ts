import { isTool, type ToolContext, type ToolTree } from "@deputy/tools";
import type { Workspace } from "@deputy/workspace";

/** Turns of which this process knows that there is a snapshot. */
const MOST_TURNS = 200;

/**
 * The same tools; before the first of them that may change files in a turn, the workspace keeps the files as they are.
 * What runs outside a turn is not covered.
 */
export function snapshotBeforeChange(tree: ToolTree, workspace: () => Promise<Workspace>): ToolTree {
  const known = new Set<string>();
  const before = async ({ turn, signal }: ToolContext): Promise<void> => {
    if (turn === undefined || known.has(turn)) return;
    await (await workspace()).snapshot(turn, signal);
    known.add(turn);
    const [oldest] = known;
    if (oldest !== undefined && known.size > MOST_TURNS) known.delete(oldest);
  };
  const wrap = (part: ToolTree): ToolTree =>
    Object.fromEntries(
      Object.entries(part).map(([name, entry]) => {
        if (!isTool(entry)) return [name, "kind" in entry ? entry : wrap(entry)];
        const { definition } = entry;
        if (definition.effect === undefined || definition.effect === "read") return [name, entry];
        const run: typeof definition.run = async (input, context) => {
          await before(context);
          return await definition.run(input, context);
        };
        return [name, Object.freeze({ ...entry, definition: { ...definition, run } })];
      }),
    );
  return wrap(tree);
}
