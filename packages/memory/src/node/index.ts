// The index of the memory on SQLite, and documents that are files.
export { createFileSource, type RememberedPath } from "./file-source.ts";
export { createNoteFiles } from "./note-files.ts";
export { openIndexThread } from "./open-index-thread.ts";
export { openSqliteStore } from "./open-sqlite-store.ts";
export { watchPaths } from "./watch-paths.ts";
