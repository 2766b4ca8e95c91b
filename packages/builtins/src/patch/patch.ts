import { ToolsError } from "@deputy/tools";

/** The change that a patch makes to one file. */
export type FilePatch =
  | { readonly kind: "add"; readonly path: string; readonly content: string }
  | { readonly kind: "delete"; readonly path: string }
  | {
      readonly kind: "update";
      readonly path: string;
      readonly moveTo?: string | undefined;
      readonly hunks: readonly Hunk[];
    };

export interface Hunk {
  /** Lines that come before it, one after the other, by which it is found. */
  readonly anchors: readonly string[];
  /** The first old line's number, from 1, where the patch says so. */
  readonly oldStart?: number | undefined;
  readonly lines: readonly PatchLine[];
  /** It is said to stand at the end of the file. */
  readonly isAtEnd: boolean;
  /** True when the patch says that the new text's last line has no line end. */
  readonly endsBare: boolean;
}

export interface PatchLine {
  readonly mark: " " | "+" | "-";
  readonly text: string;
}

export function invalidPatch(why: string): ToolsError {
  return new ToolsError("patch_invalid", `The patch cannot be read: ${why}`, {
    hint: "Write a unified diff, or *** Begin Patch … *** End Patch.",
  });
}
