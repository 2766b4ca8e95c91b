import { unifiedDiff } from "@deputy/kit/unified-diff";
import type { Sha256 } from "@deputy/protocol";
import type { ApprovalMode, Effect } from "@deputy/tools";
import { compareListing } from "./compare-listing.ts";
import { type ConnectionDeps, createConnection } from "./connection.ts";
import type { Listing } from "./listing.ts";
import { noteChanges } from "./live-pins.ts";
import type { PinChange, Pins, PinStore } from "./pins.ts";
import { showName, lookAlikesIn } from "./show-hidden.ts";
import type { McpDefinition } from "./definition.ts";
import { showHidden } from "./show-hidden.ts";
import { hiddenIn, labelsOf } from "./tool-labels.ts";

export { labelsOf };

/** Connects once, to see what a server offers. Rejects as a connection does. */
export async function inspectServer(deps: ConnectionDeps, signal: AbortSignal): Promise<Listing> {
  await using connection = createConnection(deps);
  return await connection.listing(signal);
}

/**
 * What there is to approve: the listing, and the new tools that the server offered when it ran last. A server that was
 * started only to be looked at may not offer these yet.
 */
export function withOffered(listing: Listing, pins: Pins | undefined, target: string): Listing {
  if (pins === undefined || pins.target !== target) return listing;
  const listed = new Set(listing.definitions.map(({ name }) => name));
  const offered = pins.changes.flatMap((change) => (change.kind === "new" ? [change.definition] : []));
  const more = offered.filter(({ name }) => !listed.has(name));
  return more.length === 0 ? listing : { ...listing, definitions: [...listing.definitions, ...more] };
}

/** The differences that the user should see before approving, in order; empty if there are none. */
export function reviewListing(
  sha256: Sha256,
  pins: Pins | undefined,
  listing: Listing,
): { readonly texts: readonly string[]; readonly changes: readonly PinChange[] } {
  const pinned = pins?.tools ?? [];
  const changes = compareListing(sha256, pinned, listing.definitions);
  const before = new Map(pinned.map(({ definition }) => [definition.name, definition]));
  const texts = changes.map((change) => {
    if (change.kind === "gone") return `gone: ${showName(change.name)}`;
    const old = before.get(change.definition.name);
    return old === undefined
      ? `new: ${describeDefinition(change.definition)}`
      : `changed: ${diffDefinitions(old, change.definition)}`;
  });
  const refused = listing.refused.map(({ name, reason }) => `left out: ${showName(name)}, as ${reason}`);
  return { texts: [...texts, ...refused], changes };
}

/**
 * The user has reviewed these and not approved them: tools that differ from the pins cannot be called, in any
 * process.
 */
export function declineListing(
  deps: { readonly store: PinStore; readonly sha256: Sha256 },
  target: string,
  listing: Listing,
): void {
  const pins = deps.store.read();
  if (pins === undefined || pins.target !== target) return;
  noteChanges(deps.store, pins, compareListing(deps.sha256, pins.tools, listing.definitions));
}

/** A server's state, as far as it is known without asking it. */
export type ServerStanding =
  /** Its tools were never reviewed. */
  | { readonly kind: "unpinned" }
  /** The command or address in the settings is not the one that was approved. */
  | { readonly kind: "moved" }
  | { readonly kind: "pinned"; readonly pins: Pins };

/** Throws `mcp_pins_invalid`. */
export function standingOf(store: PinStore, target: string): ServerStanding {
  const pins = store.read();
  if (pins === undefined) return { kind: "unpinned" };
  return pins.target === target ? { kind: "pinned", pins } : { kind: "moved" };
}

/** Shows all of a tool, with nothing hidden, to the user who decides about it. */
export function describeDefinition(definition: McpDefinition): string {
  const { effect, approval, presumed } = labelsOf(definition);
  const head = `${showName(definition.name)}  (${effect}, ${whenItAsks(approval, effect)})`;
  const notes = [...(presumed === undefined ? [] : [presumed]), ...lookAlikesIn(definition)];
  return [
    head,
    ...notes.map((note) => `  ! ${note}`),
    ...linesOf(definition).map((line) => `    ${line}`),
  ].join("\n");
}

function whenItAsks(approval: ApprovalMode, effect: Effect): string {
  if (approval === "required") return "asks before every call";
  return effect === "read"
    ? "asks only where it would be sent what another service said"
    : "asks only where values come from strangers";
}

/** The differences, line by line, with nothing hidden. */
export function diffDefinitions(before: McpDefinition, after: McpDefinition): string {
  const text = (definition: McpDefinition): string => `${linesOf(definition).join("\n")}\n`;
  const diff = unifiedDiff({ path: showName(before.name), before: text(before), after: text(after) });
  const hidden = hiddenIn(after);
  const notes = [...(hidden === undefined ? [] : [hidden]), ...lookAlikesIn(after)];
  return notes.length === 0 ? diff : [diff.trimEnd(), ...notes.map((note) => `! ${note}`)].join("\n");
}

function linesOf({ description = "", ...rest }: McpDefinition): readonly string[] {
  const text = showHidden(description).split("\n");
  const { name: _, ...fields } = rest;
  return [...text, ...showHidden(JSON.stringify(fields, null, 2)).split("\n")];
}
