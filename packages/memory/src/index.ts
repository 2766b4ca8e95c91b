// Finds what was written down and said before. What does not belong here: models and their services, the log, and what
// an agent makes of what it found.
export {
  createMemory,
  type FoundInMemory,
  type IndexProgress,
  type IndexReport,
  type KnownDocument,
  type Memory,
  type MemoryStatus,
} from "./create-memory.ts";
export {
  type DocumentKind,
  documentKinds,
  type DocumentSource,
  type DocumentText,
  EVERYONE,
  type ForeignPart,
  type ListedDocument,
  type Listing,
  type SourceProblem,
} from "./document.ts";
export {
  createForgetting,
  type Forgetting,
  type ForgetReport,
  type ForgetRequest,
} from "./forget/create-forgetting.ts";
export { createLeftOut, withoutForgotten } from "./forget/left-out.ts";
export { MemoryError, type MemoryErrorCode, memoryErrorCodes } from "./memory-error.ts";
export {
  DEFAULT_FUSION,
  DEFAULT_WEIGHTS,
  fuse,
  type Fused,
  type Fusion,
  type Scored,
} from "./search/fuse.ts";
export { joinNeighbours } from "./search/join-neighbours.ts";
export { readQuery, type WordQuery } from "./search/read-query.ts";
export { type FoundHits, type Hit, searchIndex } from "./search/search-index.ts";
export { createInMemoryStore } from "./store/in-memory-store.ts";
export type {
  ChildRecord,
  ChunkRecord,
  DocumentRecord,
  MemoryStore,
  StoredChunk,
} from "./store/memory-store.ts";
export { embedPending } from "./sync/embed-pending.ts";
export { type Hash } from "./sync/index-document.ts";
export { type SyncReport, syncDocuments, UnreadableDocument } from "./sync/sync-documents.ts";
export { type Chunk, chunkText, type ChunkSize } from "./text/chunk-text.ts";
export { markLine, markedParts } from "./text/told-by.ts";
export { type Fact, formatFact, parseFact } from "./notes/fact-line.ts";
export {
  type Change,
  type ChangeBy,
  createNoteKeeper,
  type NoteDraft,
  type NoteFiles,
  type NoteKeeper,
} from "./notes/note-keeper.ts";
export { hasOnlyWordsOf, isQuoteOf } from "./notes/own-words.ts";
