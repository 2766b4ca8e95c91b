// What this package uses of a browser: the parts of the types of its own library that workers have.

/** A folder of the origin's private file system. */
export interface OpfsDirectory {
  getFileHandle(name: string, options: { readonly create: boolean }): Promise<OpfsFile>;
  removeEntry(name: string): Promise<void>;
  keys(): AsyncIterable<string>;
}

export interface OpfsFile {
  createSyncAccessHandle(options: { readonly mode: "readwrite-unsafe" }): Promise<SyncHandle>;
}

/** Reads and writes without waiting; only workers have it. */
export interface SyncHandle {
  read(into: Uint8Array, options: { readonly at: number }): number;
  write(from: Uint8Array, options: { readonly at: number }): number;
  getSize(): number;
  truncate(size: number): void;
  flush(): void;
  close(): void;
}

/** `navigator.locks`: one holder of a name at a time, in all tabs and workers of the origin. */
export interface WebLocks {
  request<T>(name: string, options: { readonly signal: AbortSignal }, job: () => Promise<T>): Promise<T>;
}
