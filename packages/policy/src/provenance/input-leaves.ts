import { isContentName } from "./content-names.ts";

const LONGEST_STRUCTURED = 20_000;
const QUERY = /^[\w.[\]-]+=[^&\s]*(?:&[\w.[\]-]+=[^&\s]*)+$/;

/** What a text holds that is values with names, as `patch: '{"owner":"Ann"}'` or `params: "owner=ann&public=1"`. */
function readStructured(text: string): object | undefined {
  if (text.length > LONGEST_STRUCTURED) return undefined;
  if (QUERY.test(text)) return Object.fromEntries(new URLSearchParams(text));
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    const value = shallow(JSON.parse(text), MOST_LEVELS);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

const MOST_LEVELS = 100;

/** What lies deeper is left out: a walk through it must end. */
function shallow(value: unknown, levels: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return "…";
  if (Array.isArray(value)) return value.map((one) => shallow(one, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shallow(one, levels - 1)]));
}

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
  if (typeof value === "string") {
    if (value.trim() === "") return [];
    const inner = isContentName(place.name) ? undefined : readStructured(value);
    return inner === undefined ? [{ ...place, value }] : leavesOf(inner, place, isDeclared);
  }
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
