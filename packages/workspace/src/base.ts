/** The base of the workspace: every file as it was at its last import or commit. */
export interface Base {
  /** The real folder; absent until one is imported. */
  readonly root?: string | undefined;
  /** Names of files and folders that were left out, in any folder. */
  readonly exclude: readonly string[];
  readonly files: ReadonlyMap<string, BaseFile>;
}

export interface BaseFile extends FileFacts {
  /** The version of the workspace's own file that is known to have this content. */
  readonly seen?: string | undefined;
}

export interface FileFacts {
  readonly sha256: string;
  readonly size: number;
  readonly executable: boolean;
}

export const EMPTY_BASE: Base = { exclude: [], files: new Map() };
