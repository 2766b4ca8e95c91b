/** The facts by which a file's state is compared. Numbers that may exceed JSON's are text. */
export interface FileFacts {
  readonly mtimeNs: string;
  readonly size: number;
  readonly ino: string;
}

export const fileChangeKinds = ["created", "changed", "removed"] as const;
export type FileChangeKind = (typeof fileChangeKinds)[number];

export interface FileChange {
  readonly kind: FileChangeKind;
  /** Within the folder. */
  readonly path: string;
  /** The file's facts now; for a removed file, its last ones. */
  readonly facts: FileFacts;
}
