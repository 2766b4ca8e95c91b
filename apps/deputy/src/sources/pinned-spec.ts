import { CodedError, isAbort } from "@deputy/kit";
import { canonicalJson } from "@deputy/policy/canonical-json";
import { hashSpec, noteFound, type SpecPinStore, specStanding } from "@deputy/source-openapi/pins";
import { createSpecPinFile } from "@deputy/source-openapi/node/pins";
import type { OpenApiSettings } from "../config/tool-source-schema.ts";
import { sha256, specPinFile } from "./spec-place.ts";

/** A document from an address, with the user's approval of it. */
export interface PinnedSpec {
  /** The name that commands know it by. */
  readonly name: string;
  /** Identifies what is read; see `SpecPins.target`. */
  readonly target: string;
  readonly store: SpecPinStore;
}

export function pinnedSpecOf(settings: OpenApiSettings, home: string): PinnedSpec {
  const { name, spec, externalRefs } = settings;
  return {
    name: name ?? spec,
    target: sha256(canonicalJson({ spec, externalRefs })),
    store: createSpecPinFile(specPinFile(settings, home)),
  };
}

/** The document that the user agreed to, by its hash, with the origins they confirmed; or why there is none. */
export type ApprovedSpec =
  | { readonly root: unknown; readonly confirmed: readonly string[]; readonly pin: string }
  | { readonly why: string };

export function readPinnedSpec(pinned: PinnedSpec): ApprovedSpec {
  const look = `\`deputy tools approve ${pinned.name}\` shows it.`;
  const standing = specStanding(pinned.store, pinned.target);
  if (standing.kind === "unpinned")
    return { why: `${pinned.name} has no tools yet: you have not approved its OpenAPI document; ${look}` };
  if (standing.kind === "moved")
    return {
      why: `The address of ${pinned.name} has changed in the settings, so its tools cannot be used; ${look}`,
    };
  const { document, origins, hash } = standing.pins;
  return { root: document, confirmed: origins, pin: hash };
}

/**
 * Compares the pins with what is at the address now, and warns of a difference: until the user approves, the
 * tools stay those of the document that they know. An address that does not answer changes nothing. Rejects
 * with an abort.
 */
export async function compareSpec(
  { name, target, store }: PinnedSpec,
  read: () => Promise<unknown>,
  warn: (text: string) => void,
): Promise<void> {
  try {
    const found = hashSpec(sha256, await read());
    const standing = specStanding(store, target);
    if (standing.kind !== "pinned") return;
    if (noteFound(store, standing.pins, found) !== "same")
      warn(
        `The OpenAPI document of ${name} is not the one you approved, which stays in use; \`deputy tools approve ${name}\` shows what has changed.`,
      );
  } catch (error) {
    if (!(error instanceof CodedError) || isAbort(error)) throw error;
  }
}
