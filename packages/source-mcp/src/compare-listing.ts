import type { Sha256 } from "@deputy/protocol";
import { hashDefinition, type McpDefinition } from "./definition.ts";
import { nameTools } from "./name-tools.ts";
import type { PinChange, PinnedTool } from "./pins.ts";

/** What a server lists now, against what was pinned. A name that is listed twice is a change of it. */
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
