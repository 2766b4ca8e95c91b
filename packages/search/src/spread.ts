import type { SearchableTool } from "./searchable-tool.ts";
import { toolSignature } from "./tool-shape.ts";

/** Each further tool of a namespace that fits in just the same way is worth less, so that others show up too. */
const ALIKE = 0.86;
/** The same of one that does the same to the same, in another place, another version, or to one rather than all. */
const TWIN = 0.6;

/** The same tools, given the best first: those that add nothing to the ones before them come later. */
export function spread(
  found: readonly number[],
  scores: Float32Array,
  fits: Uint32Array,
  tools: readonly SearchableTool[],
): readonly number[] {
  const seen = new Map<string, number>();
  const countBefore = (key: string): number => {
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    return before;
  };
  const weighed = found.flatMap((at) => {
    const tool = tools[at];
    if (tool === undefined) return [];
    const alike = countBefore(`${tool.path.split(".", 1)[0]} ${fits[at]}`);
    const twins = countBefore(toolSignature(tool));
    return [{ at, score: (scores[at] ?? 0) * ALIKE ** alike * TWIN ** twins }];
  });
  return weighed.sort((a, b) => b.score - a.score || a.at - b.at).map(({ at }) => at);
}
