import { canonicalJson } from "@deputy/policy/canonical-json";
import type { Sha256 } from "@deputy/protocol";
import { z } from "zod";

const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** A document from an address, as the user agreed to it. Its tools are made from this copy, whatever is there now. */
export const specPinsSchema = z.object({
  version: z.literal(1),
  /** Identifies the address: these pins are not valid for any other. */
  target: hash,
  pinnedAt: z.string(),
  /** Where its calls go besides the origin that it came from. */
  origins: z.array(z.string()),
  hash,
  document: z.unknown(),
  /** The hash of another document that was found at the address since. */
  found: hash.optional(),
});
export type SpecPins = z.infer<typeof specPinsSchema>;

/** Keeps the pins of one document. */
export interface SpecPinStore {
  /** Undefined when there are none. Throws `spec_pins_invalid`. */
  read(): SpecPins | undefined;
  /** Writes everything or nothing. */
  write(pins: SpecPins): void;
}

/** The state of a document, as far as it is known without reading its address. `moved`: the pins are for another address. */
export type SpecStanding =
  | { readonly kind: "unpinned" }
  | { readonly kind: "moved" }
  | { readonly kind: "pinned"; readonly pins: SpecPins };

/** Throws `spec_pins_invalid`. */
export function specStanding(store: SpecPinStore, target: string): SpecStanding {
  const pins = store.read();
  if (pins === undefined) return { kind: "unpinned" };
  return pins.target === target ? { kind: "pinned", pins } : { kind: "moved" };
}

export function hashSpec(sha256: Sha256, root: unknown): string {
  return sha256(canonicalJson(root));
}

/** Compares what is at the address now with the pins, and writes down a difference. `known`: it was written before. */
export function noteFound(store: SpecPinStore, pins: SpecPins, found: string): "same" | "changed" | "known" {
  const { found: before, ...rest } = pins;
  const isSame = found === pins.hash;
  if (isSame ? before === undefined : before === found) return isSame ? "same" : "known";
  store.write(isSame ? rest : { ...rest, found });
  return isSame ? "same" : "changed";
}
