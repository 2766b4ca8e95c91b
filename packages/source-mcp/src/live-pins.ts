import type { Sha256 } from "@deputy/protocol";
import { compareListing } from "./compare-listing.ts";
import type { Listing } from "./listing.ts";
import type { PinChange, PinnedTool, Pins, PinStore } from "./pins.ts";

/** The tools of one server that the user has approved, compared with the server's latest list. */
export interface LivePins {
  /** Reads the pins again. Undefined if there are none. Throws `mcp_pins_invalid`. */
  read(): Pins | undefined;
  /** Takes the server's list, and records the differences for the next review. */
  listed(listing: Listing): void;
  /** Why nothing of the server may be used; undefined if it may. */
  whyUnusable(): string | undefined;
  /** Why a tool with this pin must not be called. `last seen`: without reading the pins again. */
  whyDisabled(tool: PinnedTool, as: "now" | "last seen"): string | undefined;
}

export interface LivePinsDeps {
  readonly name: string;
  readonly store: PinStore;
  readonly target: string;
  readonly sha256: Sha256;
  readonly warn: (text: string) => void;
  /** Called when the user has approved something since, in any process: the connection may be older. */
  readonly onAgreed: () => void;
}

/** The pins as last read, ready for lookups. */
interface Seen {
  readonly pins: Pins | undefined;
  readonly hashes: ReadonlyMap<string, string>;
  readonly changed: Differing;
}

/** Tools that differ from their pins, by name. A new tool is not in the catalogue at all. */
type Differing = ReadonlyMap<string, "changed" | "gone">;

const NONE: Seen = { pins: undefined, hashes: new Map(), changed: new Map() };

export function createLivePins(deps: LivePinsDeps): LivePins {
  const { name, store, target, sha256, warn } = deps;
  const look = `\`deputy tools approve ${name}\` shows it`;
  let seen = NONE;
  let isDamaged = false;
  /** Tools that the server lists differently from their pins. */
  let listedOtherwise: Differing = new Map();

  const read = (): Pins | undefined => {
    isDamaged = true;
    const pins = store.read();
    isDamaged = false;
    if (pins === seen.pins) return pins;
    const isFirst = seen === NONE;
    const isAgreed = !isFirst && agreementOf(pins) !== agreementOf(seen.pins);
    seen = {
      pins,
      hashes: new Map(pins?.tools.map(({ definition, hash }) => [definition.name, hash])),
      changed: namesOf(pins?.changes ?? []),
    };
    if (isAgreed) {
      listedOtherwise = new Map();
      deps.onAgreed();
    }
    return pins;
  };

  const lookAgain = (): void => {
    try {
      read();
    } catch {
      // The file is damaged, which is already known.
    }
  };

  const whyUnusable = (): string | undefined => {
    if (isDamaged) return `your approvals for ${name} cannot be read; ${look}`;
    if (seen.pins === undefined) return `you have not approved the tools of ${name} yet; ${look}`;
    return seen.pins.target === target
      ? undefined
      : `the command or address of ${name} has changed since you approved it; ${look}`;
  };

  return {
    read,
    listed(listing) {
      const pins = read();
      if (pins === undefined || pins.target !== target) return;
      const changes = compareListing(sha256, pins.tools, listing.definitions);
      listedOtherwise = namesOf(changes);
      if (noteChanges(store, pins, changes) === "noted" && changes.length > 0)
        warn(
          `${name} offers other tools than those you approved: ${countsOf(changes)}; \`deputy tools approve ${name}\` shows them.`,
        );
    },
    whyUnusable() {
      lookAgain();
      return whyUnusable();
    },
    whyDisabled({ definition, hash }, as) {
      if (as === "now") lookAgain();
      const unusable = whyUnusable();
      if (unusable !== undefined) return unusable;
      const agreed = seen.hashes.get(definition.name);
      if (agreed === undefined) return `it is not among the tools that you have approved since; ${look}`;
      if (agreed !== hash) return "you have approved another definition since: the next turn uses that one";
      const how = listedOtherwise.get(definition.name) ?? seen.changed.get(definition.name);
      if (how === "gone")
        return `${name} does not offer it now; once the server lists it again, it can be called (${look})`;
      return how === "changed" ? `its definition has changed since you approved it; ${look}` : undefined;
    },
  };
}

/** Records how a listing differs from the pins, unless that is already recorded. */
export function noteChanges(store: PinStore, pins: Pins, changes: readonly PinChange[]): "noted" | "known" {
  if (JSON.stringify(changes) === JSON.stringify(pins.changes)) return "known";
  store.write({ ...pins, changes: [...changes] });
  return "noted";
}

/** Changes whenever the user approves something, but not when a difference is recorded. */
export function agreementOf(pins: Pins | undefined): string {
  if (pins === undefined) return "";
  const { target, pinnedAt, offers, tools } = pins;
  return JSON.stringify([target, pinnedAt, offers, tools.map(({ id, hash }) => [id, hash])]);
}

function namesOf(changes: readonly PinChange[]): Differing {
  const found = new Map<string, "changed" | "gone">();
  for (const change of changes) {
    if (change.kind === "gone") found.set(change.name, "gone");
    else if (change.kind === "changed") found.set(change.definition.name, "changed");
  }
  return found;
}

function countsOf(changes: readonly PinChange[]): string {
  const count = (kind: PinChange["kind"]): number => changes.filter((change) => change.kind === kind).length;
  return `${count("changed")} changed, ${count("new")} new, ${count("gone")} gone`;
}
