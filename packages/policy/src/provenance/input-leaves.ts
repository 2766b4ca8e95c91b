/** A value that a call carries. A map's key is one, too: whoever chooses it chooses what is affected. */
export interface InputLeaf {
  readonly path: string;
  /** The top-level argument it belongs to; empty when the input is no object. */
  readonly argument: string;
  /** The name nearest to it. */
  readonly name: string;
  /** All names on the way to it, from the argument on. */
  readonly names: readonly string[];
  readonly value: string | number | boolean;
}

/** Every value of an input; `isDeclared` tells the names of a schema from keys that somebody chose. */
export function inputLeaves(input: unknown, isDeclared: (key: string) => boolean): readonly InputLeaf[] {
  if (typeof input !== "object" || input === null || Array.isArray(input))
    return leavesOf(input, { path: "", argument: "", name: "", names: [] }, isDeclared);
  return Object.entries(input).flatMap(([key, value]) =>
    leavesOf(value, { path: key, argument: key, name: key, names: [key] }, isDeclared),
  );
}

type Place = Omit<InputLeaf, "value">;

function leavesOf(value: unknown, place: Place, isDeclared: (key: string) => boolean): readonly InputLeaf[] {
  if (typeof value === "string") return value.trim() === "" ? [] : [{ ...place, value }];
  if (typeof value === "number" || typeof value === "boolean") return [{ ...place, value }];
  if (Array.isArray(value))
    return value.flatMap((element: unknown, at) =>
      leavesOf(element, { ...place, path: `${place.path}[${at}]` }, isDeclared),
    );
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const inner = { ...place, path: `${place.path}.${key}`, name: key, names: [...place.names, key] };
    const own: readonly InputLeaf[] = isDeclared(key)
      ? []
      : [{ ...inner, path: `${inner.path} (key)`, value: key }];
    return own.concat(leavesOf(member, inner, isDeclared));
  });
}
