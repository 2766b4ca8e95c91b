import { unifiedDiff } from "@deputy/kit/unified-diff";
import type { Change } from "./change-set.ts";
import { decodeText } from "./text.ts";

/** One change in a form for people. */
export interface FileDiff {
  readonly path: string;
  readonly kind: Change["kind"];
  /** The texts themselves, null for a file that does not exist; absent if it is not text or too long. */
  readonly texts?: { readonly before: string | null; readonly after: string | null };
  /** In the format of `diff -u`; absent together with the texts. */
  readonly text?: string;
  readonly addedLines: number;
  readonly removedLines: number;
  /** Facts that no diff shows. */
  readonly notes: readonly string[];
}

/** For longer texts, only the size is given. */
const MOST_BYTES = 200_000;

export function describeChange(
  change: Change,
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
): FileDiff {
  const { path, kind } = change;
  const notes = [...modeNotes(change)];
  const [old, now] = [before ?? new Uint8Array(), after ?? new Uint8Array()];
  const [oldText, newText] = [decodeText(old), decodeText(now)];
  if (oldText === undefined || newText === undefined || Math.max(old.length, now.length) > MOST_BYTES) {
    const what = oldText === undefined || newText === undefined ? "not text" : "too long to compare";
    notes.push(`${what}: ${sizeOf(before)} → ${sizeOf(after)}`);
    return { path, kind, addedLines: 0, removedLines: 0, notes };
  }
  const texts = {
    before: before === undefined ? null : oldText,
    after: after === undefined ? null : newText,
  };
  const text = unifiedDiff({ path, ...texts });
  const [, ...hunks] = text.split(/^@@/m);
  const count = (mark: RegExp): number =>
    hunks.reduce((sum, hunk) => sum + (hunk.match(mark)?.length ?? 0), 0);
  return { path, kind, texts, text, addedLines: count(/^\+/gm), removedLines: count(/^-/gm), notes };
}

function modeNotes(change: Change): readonly string[] {
  if (change.kind === "deleted") return [];
  const was = change.kind === "modified" && change.before.executable;
  if (was === change.after.executable) return [];
  return [change.after.executable ? "can be run as a program" : "can no longer be run as a program"];
}

function sizeOf(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? "nothing" : `${bytes.length} bytes`;
}
