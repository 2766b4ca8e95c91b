import type { InputLeaf } from "../input-leaves.ts";
import { idPrefix, isSelector, kindSaidBy } from "./kind-beside.ts";

/** Which values of a call say of what kind the ids beside them are: `{ entity: "notice", key: 7 }`. */
export interface Selectors {
  /** As a tool's author would declare it; undefined where nothing says so. */
  kindOf(leaf: InputLeaf): string | undefined;
  /** The ids of which this says the kind. */
  idsOf(leaf: InputLeaf): readonly InputLeaf[];
}

export function readSelectors(all: readonly InputLeaf[], toolPath: string): Selectors {
  const space = toolPath.split(".", 1)[0] ?? "";
  const beside = (leaf: InputLeaf): readonly InputLeaf[] =>
    all.filter((one) => placeUnder(one) === placeUnder(leaf));
  return {
    kindOf(leaf) {
      const prefix = idPrefix(leaf.name);
      const kind = prefix === undefined ? undefined : kindSaidBy(beside(leaf), prefix);
      return kind === undefined ? undefined : `${space}.${kind}`;
    },
    idsOf(leaf) {
      const { name, value } = leaf;
      if (typeof value !== "string") return [];
      return beside(leaf).filter((one) => {
        const prefix = idPrefix(one.name);
        return prefix !== undefined && isSelector(name, value, prefix);
      });
    },
  };
}

/** Where it stands, but for its own name. */
function placeUnder({ path, name }: InputLeaf): string {
  return path.slice(0, path.lastIndexOf(name));
}
