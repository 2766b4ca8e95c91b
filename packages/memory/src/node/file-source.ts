import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync, type Stats } from "node:fs";
import { join } from "node:path";
import { createSlices, throwIfAborted } from "@deputy/kit";
import type { DocumentKind, DocumentSource, ListedDocument, SourceProblem } from "../document.ts";
import { UnreadableDocument } from "../sync/sync-documents.ts";
import { markedParts } from "../text/told-by.ts";

/** A file, or a folder with files, that can be remembered. */
export interface RememberedPath {
  /** On the disk. */
  readonly location: string;
  /** As it is called in the index: `main/memory`. */
  readonly path: string;
  /** As it is called where a piece of it is shown to a model: `memory`. */
  readonly shownAs: string;
  readonly scope: string;
  readonly kind: DocumentKind;
}

/** Names of the files that are looked for in folders. */
const TEXT_FILE = /\.(md|markdown|txt)$/i;
/** Comments are for the person who edits a file. The mark of who told a line is no such comment. */
const COMMENT = /<!--(?! told by: )[^]*?-->/g;
const DAY = /^(\d{4}-\d{2}-\d{2})\b/;
/** More than this of one file is not remembered. */
const MOST_BYTES = 4 * 1024 * 1024;
/** In all folders together; a wrong path should not index a whole disk. */
const MOST_FILES = 20_000;
const DEEPEST = 24;

/**
 * Files and folders of Markdown. Each file is listed once, by whichever path comes first, and folders that contain
 * themselves are entered once. `paths` is asked again at each listing.
 */
export function createFileSource(paths: () => readonly RememberedPath[]): DocumentSource {
  return {
    async list(signal) {
      const documents: ListedDocument[] = [];
      const problems: SourceProblem[] = [];
      const seen = new Set<string>();
      const slices = createSlices();
      const waiting: Waiting[] = [];
      for (const path of paths()) waiting.push({ ...path, depth: 0 });
      for (let at = 0; at < waiting.length; at++) {
        throwIfAborted(signal);
        if (slices.isOver()) await slices.next();
        const entry = waiting[at];
        if (entry === undefined) break;
        const found = look(entry, seen);
        if (found.kind === "problem") problems.push(problemOf(entry, found.message));
        else if (found.kind === "file") documents.push(listedOf(entry, found.stats));
        else if (found.kind === "folder" && entry.depth < DEEPEST)
          for (const name of found.names.toReversed()) waiting.splice(at + 1, 0, childOf(entry, name));
        if (documents.length > MOST_FILES) {
          problems.push(problemOf(entry, `There are more than ${MOST_FILES} files; the others are left out`));
          break;
        }
      }
      return { documents, problems };
    },
  };
}

type Waiting = RememberedPath & { readonly depth: number };

type Found =
  | { readonly kind: "nothing" }
  | { readonly kind: "problem"; readonly message: string }
  | { readonly kind: "file"; readonly stats: Stats }
  | { readonly kind: "folder"; readonly names: readonly string[] };

function look({ location, depth }: Waiting, seen: Set<string>): Found {
  try {
    const stats = statSync(location, { throwIfNoEntry: false });
    if (stats === undefined) return { kind: "nothing" };
    const identity = `${stats.dev}:${stats.ino}`;
    if (seen.has(identity)) return { kind: "nothing" };
    if (stats.isDirectory()) {
      seen.add(identity);
      const names = readdirSync(location, { withFileTypes: true })
        .filter((entry) => isWanted(entry.name, entry.isFile()))
        .map(({ name }) => name);
      return { kind: "folder", names: names.sort() };
    }
    if (!stats.isFile() || (depth > 0 && !TEXT_FILE.test(location))) return { kind: "nothing" };
    seen.add(identity);
    return { kind: "file", stats };
  } catch (error) {
    return { kind: "problem", message: whyNot(error) };
  }
}

function isWanted(name: string, isFile: boolean): boolean {
  return !name.startsWith(".") && name !== "node_modules" && (!isFile || TEXT_FILE.test(name));
}

function childOf(folder: Waiting, name: string): Waiting {
  const day = folder.kind === "notes" && folder.depth === 0 && DAY.test(name) && TEXT_FILE.test(name);
  return {
    ...folder,
    location: join(folder.location, name),
    path: `${folder.path}/${name}`,
    shownAs: `${folder.shownAs}/${name}`,
    kind: day ? "daily" : folder.kind,
    depth: folder.depth + 1,
  };
}

function keyOf({ scope, path }: RememberedPath): string {
  return `file ${scope} ${path}`;
}

function problemOf(entry: RememberedPath, message: string): SourceProblem {
  return { keyPrefix: keyOf(entry), path: entry.path, message };
}

function listedOf(entry: Waiting, { mtimeMs, size, ino }: Stats): ListedDocument {
  const { scope, kind, path, shownAs, location } = entry;
  const [, date] = DAY.exec(path.slice(path.lastIndexOf("/") + 1)) ?? [];
  return {
    key: keyOf(entry),
    scope,
    kind,
    path,
    revision: `${mtimeMs} ${size} ${ino}`,
    async read() {
      const read = readText(location);
      if (read === undefined) return undefined;
      const { isPartial } = read;
      const text = read.text.replaceAll(COMMENT, (comment) => comment.replaceAll(/[^\n]+/g, ""));
      return {
        path: shownAs,
        text,
        isPartial,
        // A file that the settings name may be anybody's.
        foreign: kind === "extra" ? [{ from: 0, to: text.length, source: path }] : markedParts(text),
        ...(date !== undefined && { date }),
      };
    },
  };
}

function readText(location: string): { readonly text: string; readonly isPartial: boolean } | undefined {
  let file: number | undefined;
  try {
    file = openSync(location, "r");
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, MOST_BYTES));
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(file, bytes, length, bytes.length - length, length);
    const isPartial = size > MOST_BYTES;
    // In stream mode, the decoder holds back a character that was cut, instead of throwing.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, length), {
      stream: isPartial,
    });
    if (text.includes("\0")) throw new UnreadableDocument("It is not text");
    return { text, isPartial };
  } catch (error) {
    if (error instanceof TypeError) throw new UnreadableDocument("It is not text in UTF-8");
    if (error instanceof UnreadableDocument) throw error;
    if (codeOf(error) === "ENOENT") return undefined;
    throw new UnreadableDocument(whyNot(error));
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "It may not be read",
  EPERM: "It may not be read",
  ELOOP: "It is a link that leads to itself",
  ENAMETOOLONG: "Its name is too long",
};

function whyNot(error: unknown): string {
  const code = codeOf(error);
  return REASONS[code] ?? `It cannot be read (${code === "" ? "unknown" : code})`;
}
