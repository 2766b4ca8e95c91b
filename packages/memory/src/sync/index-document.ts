import type { DocumentText, ListedDocument } from "../document.ts";
import type { ChunkRecord, DocumentRecord } from "../store/memory-store.ts";
import { CHUNKER, type Chunk, chunkText, type ChunkSize } from "../text/chunk-text.ts";
import { describePlace } from "../text/describe-place.ts";

/** Meaning is compared in smaller pieces than are found: a vector of a long text says a little about everything. */
const CHILD_SIZE: ChunkSize = { tokens: 128, overlap: 26 };

/** SHA-256 in hexadecimal. */
export type Hash = (text: string) => string;

/** Changes when documents would be cut or described in another way. */
export function indexIdentity({ tokens, overlap }: ChunkSize): string {
  return `${CHUNKER} ${tokens}/${overlap} ${CHILD_SIZE.tokens}/${CHILD_SIZE.overlap}`;
}

export function recordOf(
  listed: ListedDocument,
  read: DocumentText,
  deps: { readonly hash: Hash; readonly size: ChunkSize },
): DocumentRecord {
  const { key, scope, kind, path, revision } = listed;
  const { text, date, people = [], foreign = [] } = read;
  const hash = deps.hash(JSON.stringify([indexIdentity(deps.size), path, date, people, foreign, text]));
  return { key, scope, kind, path, revision, hash, isStale: false, ...(date !== undefined && { date }) };
}

export function chunksOf(
  read: DocumentText,
  deps: { readonly hash: Hash; readonly size: ChunkSize },
): readonly ChunkRecord[] {
  const { foreign = [] } = read;
  return chunkText(read.text, deps.size).map((chunk) => {
    const header = describePlace(read, chunk.headings);
    const others = foreign.filter(({ from, to }) => from < chunk.to && to > chunk.from);
    return {
      firstLine: chunk.firstLine,
      lastLine: chunk.lastLine,
      header,
      text: chunk.text,
      foreign: [...new Set(others.map(({ source }) => source))],
      children: childrenOf(header, chunk, deps.hash),
    };
  });
}

function childrenOf(header: string, { text }: Chunk, hash: Hash): ChunkRecord["children"] {
  return chunkText(text, CHILD_SIZE).map((child) => {
    const embedded = `${header} ${child.text}`;
    return { hash: hash(embedded), text: embedded };
  });
}
