/** What a file is known by. Numbers are as text, where they may be larger than JSON's. */
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
  /** As it is now; of one that was removed, as it was. */
  readonly facts: FileFacts;
}
