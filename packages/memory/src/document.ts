import type { Place } from "./text/describe-place.ts";
import type { Range } from "./text/chunk-text.ts";

/**
 * Where a document comes from:
 * - `memory`: an agent's MEMORY.md
 * - `notes`: its other notes, `memory/**.md`
 * - `daily`: its notes of one day, `memory/2026-11-17.md`
 * - `extra`: files that the settings name
 * - `session`: what was said in a conversation
 */
export const documentKinds = ["memory", "notes", "daily", "extra", "session"] as const;
export type DocumentKind = (typeof documentKinds)[number];

/** A text that can be remembered, as a source lists it. */
export interface ListedDocument {
  /** Names it in the whole index, and stays the same when it changes. */
  readonly key: string;
  /** Who may find it: the agent whose document it is, or `EVERYONE`. */
  readonly scope: string;
  readonly kind: DocumentKind;
  readonly path: string;
  /**
   * Where it really lies, whichever link leads there; present if that is not among an agent's notes. Such a file is the
   * user's: Deputy only reads it.
   */
  readonly outside?: string;
  /** Differs whenever the text may have changed. */
  readonly revision: string;
  /** Undefined if it has vanished meanwhile. Rejects if it cannot be read, and with the signal's reason on abort. */
  read(signal: AbortSignal): Promise<DocumentText | undefined>;
}

export const EVERYONE = "*";

export interface DocumentText extends Place {
  readonly text: string;
  /** The parts that are not the user's own words, with the name of who wrote them. */
  readonly foreign?: readonly ForeignPart[];
}

export interface ForeignPart extends Range {
  readonly source: string;
}

/** All documents of one kind of place. */
export interface DocumentSource {
  /** Never rejects for a single document or folder: those are problems. Rejects with the signal's reason on abort. */
  list(signal: AbortSignal): Promise<Listing>;
}

export interface Listing {
  readonly documents: readonly ListedDocument[];
  readonly problems: readonly SourceProblem[];
}

/** Something that could not be looked at, or not as a whole. */
export interface SourceProblem {
  /**
   * Documents whose key begins with this are affected: what is known of them stays in the index and is marked stale.
   * Absent: none is.
   */
  readonly keyPrefix?: string;
  readonly path: string;
  readonly message: string;
}
