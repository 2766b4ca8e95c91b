import { type EventLog, readEvent } from "@deputy/protocol";
import type { DocumentSource, DocumentText, ListedDocument } from "../document.ts";
import type { Hash } from "../sync/index-document.ts";

/** Lines of files that forgetting could not change, and that are forgotten all the same: by a hash of place and line. */
export interface LeftOut {
  /** `WHOLE_FILE` in place of a line: nothing of the file may be found, not even its name. */
  has(document: Pick<ListedDocument, "path" | "outside">, line: string): boolean;
  /** Grows with each line. */
  readonly size: number;
  /** Reads what was forgotten since. Rejects as the log does. */
  refresh(): Promise<void>;
}

/** No line has it. */
export const WHOLE_FILE = "\n";

export function createLeftOut(log: Pick<EventLog, "readAll"> | undefined, hash: Hash): LeftOut {
  const known = new Set<string>();
  let after = 0;
  return {
    // Logs from before links were followed name the path.
    has: ({ path, outside }, line) =>
      known.has(leftOutKey(hash, { path, outside }, line)) || known.has(leftOutKey(hash, { path }, line)),
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

/** By where a file really lies: it may get another name, or another link. */
export function leftOutKey(
  hash: Hash,
  { path, outside = path }: { readonly path: string; readonly outside?: string | undefined },
  line: string,
): string {
  return hash(`${outside}\n${line}`);
}

/** A source whose forgotten lines are blank. The lines keep their numbers. */
export function withoutForgotten(source: DocumentSource, leftOut: LeftOut): DocumentSource {
  return {
    async list(signal) {
      await leftOut.refresh();
      const listing = await source.list(signal);
      if (leftOut.size === 0) return listing;
      const documents = listing.documents.filter((document) => !leftOut.has(document, WHOLE_FILE));
      return { ...listing, documents: documents.map((document) => blankIn(document, leftOut)) };
    },
  };
}

function blankIn(document: ListedDocument, leftOut: LeftOut): ListedDocument {
  if (document.kind === "session") return document;
  return {
    ...document,
    revision: `${document.revision} ${leftOut.size}`,
    async read(signal) {
      const read = await document.read(signal);
      return read === undefined ? undefined : { ...read, text: blank(read, document, leftOut) };
    },
  };
}

/** As long as before, so that what is known of parts by their places stays right. */
function blank({ text }: DocumentText, document: ListedDocument, leftOut: LeftOut): string {
  return text
    .split("\n")
    .map((line) => (leftOut.has(document, line) ? " ".repeat(line.length) : line))
    .join("\n");
}
