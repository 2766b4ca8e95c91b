import type { Clock } from "@deputy/kit";
import type { Sha256 } from "@deputy/protocol";
import { hashDefinition, type McpDefinition } from "./definition.ts";
import type { Listing } from "./listing.ts";
import type { PinChange, PinnedTool, Pins, PinStore } from "./pins.ts";

/** Names that have a special meaning for objects or promises, and those of Deputy's own tools for each server. */
const TAKEN = ["__proto__", "prototype", "constructor", "then", "resources", "prompts"];

const IDENTIFIER = /^[A-Za-z_$][\w$]{0,59}$/;

const MAX_CHARS = 56;

/** From now on these are the server's tools. */
export function pinServer(
  deps: { readonly store: PinStore; readonly sha256: Sha256; readonly clock: Pick<Clock, "now"> },
  target: string,
  listing: Listing,
): Pins {
  const { store, sha256, clock } = deps;
  const pins: Pins = {
    version: 1,
    target,
    server: listing.server,
    pinnedAt: new Date(clock.now()).toISOString(),
    offers: listing.offers,
    tools: [...pinListing(sha256, store.read()?.tools ?? [], listing.definitions)],
    changes: [],
  };
  store.write(pins);
  return pins;
}

/** Compares a server's current list with the pinned one. A name that is listed twice counts as changed. */
export function compareListing(
  sha256: Sha256,
  pinned: readonly PinnedTool[],
  listed: readonly McpDefinition[],
): readonly PinChange[] {
  const hashOf = new Map(pinned.map(({ definition, hash }) => [definition.name, hash]));
  const seen = new Set<string>();
  const changes = listed.flatMap((definition): readonly PinChange[] => {
    const { name } = definition;
    const isAgain = seen.has(name);
    seen.add(name);
    const hash = hashDefinition(sha256, definition);
    const known = hashOf.get(name);
    if (known === undefined) return isAgain ? [] : [{ kind: "new", hash, definition }];
    return known === hash ? [] : [{ kind: "changed", hash, definition }];
  });
  const gone = pinned.filter(({ definition }) => !seen.has(definition.name));
  return [...changes, ...gone.map(({ definition }): PinChange => ({ kind: "gone", name: definition.name }))];
}

/** The pins once the user agrees to what is listed now. Tools keep what they are called. */
export function pinListing(
  sha256: Sha256,
  before: readonly PinnedTool[],
  listed: readonly McpDefinition[],
): readonly PinnedTool[] {
  const idOf = new Map(before.map(({ id, definition }) => [definition.name, id]));
  const unique = new Map(listed.map((definition) => [definition.name, definition]));
  const fresh = nameTools(
    [...unique.keys()].filter((name) => !idOf.has(name)),
    idOf.values(),
  );
  return [...unique.values()].map((definition) => ({
    id: idOf.get(definition.name) ?? fresh.get(definition.name) ?? "",
    hash: hashDefinition(sha256, definition),
    definition,
  }));
}

/**
 * An identifier for each name, the same for the same names in any order: the name itself if it is an
 * identifier, otherwise its usable characters. All are different, and none is in `taken`.
 */
export function nameTools(names: readonly string[], taken: Iterable<string>): ReadonlyMap<string, string> {
  const used = new Set([...TAKEN, ...taken]);
  const ids = new Map<string, string>();
  const isOwn = (name: string): boolean => IDENTIFIER.test(name);
  const sorted = [...new Set(names)].toSorted();
  // A name that is already an identifier stays, even if other names would become the same.
  for (const name of [...sorted.filter(isOwn), ...sorted.filter((one) => !isOwn(one))]) {
    const base = isOwn(name) ? name : toIdentifier(name);
    let id = base;
    for (let n = 2; used.has(id); n++) id = `${base}_${n}`;
    used.add(id);
    ids.set(name, id);
  }
  return ids;
}

function toIdentifier(name: string): string {
  const words = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .split(/[^A-Za-z0-9_$]+/)
    .filter((word) => word !== "");
  const joined = words.join("_").slice(0, MAX_CHARS);
  if (joined === "") return "tool";
  return /^\d/.test(joined) ? `_${joined}` : joined;
}
