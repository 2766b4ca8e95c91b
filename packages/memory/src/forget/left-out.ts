import { type EventLog, readEvent } from "@deputy/protocol";
import type { DocumentSource, DocumentText, ListedDocument } from "../document.ts";
import type { Hash } from "../sync/index-document.ts";

/** Lines of files that Deputy must not change, and that are forgotten all the same: by a hash of path and line. */
export interface LeftOut {
  has(path: string, line: string): boolean;
  /** Grows with each line. */
  readonly size: number;
  /** Reads what was forgotten since. Rejects as the log does. */
  refresh(): Promise<void>;
}

export function createLeftOut(log: Pick<EventLog, "readAll"> | undefined, hash: Hash): LeftOut {
  const known = new Set<string>();
  let after = 0;
  return {
    has: (path, line) => known.has(leftOutKey(hash, path, line)),
    get size() {
      return known.size;
    },
    async refresh() {
      if (log === undefined) return;
      for await (const { event, position } of log.readAll({ after, types: ["memory.forgotten"] })) {
        after = position;
        const read = readEvent(event);
        if (read.kind === "known" && read.event.type === "memory.forgotten")
          for (const one of read.event.data.leftOut) known.add(one);
      }
    },
  };
}

export function leftOutKey(hash: Hash, path: string, line: string): string {
  return hash(`${path}\n${line}`);
}

/** A source whose forgotten lines are blank. The lines keep their numbers. */
export function withoutForgotten(source: DocumentSource, leftOut: LeftOut): DocumentSource {
  return {
    async list(signal) {
      await leftOut.refresh();
      const listing = await source.list(signal);
      if (leftOut.size === 0) return listing;
      return { ...listing, documents: listing.documents.map((document) => blankIn(document, leftOut)) };
    },
  };
}

function blankIn(document: ListedDocument, leftOut: LeftOut): ListedDocument {
  if (document.kind !== "extra") return document;
  return {
    ...document,
    revision: `${document.revision} ${leftOut.size}`,
    async read(signal) {
      const read = await document.read(signal);
      return read === undefined ? undefined : { ...read, text: blank(read, document.path, leftOut) };
    },
  };
}

/** As long as before, so that what is known of parts by their places stays right. */
function blank({ text }: DocumentText, path: string, leftOut: LeftOut): string {
  return text
    .split("\n")
    .map((line) => (leftOut.has(path, line) ? " ".repeat(line.length) : line))
    .join("\n");
}
