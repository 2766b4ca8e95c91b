import {
  closeSync,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
  type Stats,
} from "node:fs";
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
/** In all folders together; a wrong path or link should not index a whole disk. */
const LIMITS: WalkLimits = { files: 20_000, entries: 200_000 };

export interface WalkLimits {
  readonly files: number;
  /** Files, folders and links that are looked at, whatever they are. */
  readonly entries: number;
}

/**
 * Files and folders of Markdown. Each file is listed once, by its own path if there is one: links are followed after
 * everything else, and folders that contain themselves are entered once. `paths` is asked again at each listing.
 */
export function createFileSource(
  paths: () => readonly RememberedPath[],
  limits: WalkLimits = LIMITS,
): DocumentSource {
  return {
    async list(signal) {
      const documents: ListedDocument[] = [];
      const problems: SourceProblem[] = [];
      const seen = new Set<string>();
      const slices = createSlices();
      const roots = paths().map(rootOf);
      const waiting = roots.filter(({ isLink }) => !isLink).toReversed();
      const links = roots.filter(({ isLink }) => isLink);
      for (let looked = 0; ; looked++) {
        throwIfAborted(signal);
        if (slices.isOver()) await slices.next();
        const entry = waiting.pop() ?? links.shift();
        if (entry === undefined) break;
        const limit = limitReached(limits, { files: documents.length, entries: looked });
        if (limit !== undefined) {
          problems.push({ ...problemOf(entry, limit), keyPrefix: "file " });
          break;
        }
        const found = look(entry, seen);
        if (found.kind === "problem") problems.push(found.problem);
        else if (found.kind === "file") {
          documents.push(listedOf(entry, found.stats));
          if (found.stats.size > MOST_BYTES)
            problems.push(problemOf(entry, "Only its beginning is remembered: it is larger than 4 MB"));
        } else if (found.kind === "folder") {
          links.push(...found.inside.filter(({ isLink }) => isLink));
          waiting.push(...found.inside.filter(({ isLink }) => !isLink).toReversed());
        }
      }
      return { documents, problems };
    },
  };
}

function limitReached(limits: WalkLimits, so: WalkLimits): string | undefined {
  const rest = "this and what comes after it is left out";
  if (so.files >= limits.files) return `There are more than ${limits.files} files; ${rest}`;
  return so.entries >= limits.entries
    ? `There are more than ${limits.entries} files and folders to look at; ${rest}`
    : undefined;
}

type Waiting = RememberedPath & {
  readonly depth: number;
  readonly isLink: boolean;
  /** True of what is found only by a link. */
  readonly isLinked: boolean;
};

type Found =
  | { readonly kind: "nothing" }
  | { readonly kind: "problem"; readonly problem: SourceProblem }
  | { readonly kind: "file"; readonly stats: Stats }
  | { readonly kind: "folder"; readonly inside: readonly Waiting[] };

function rootOf(path: RememberedPath): Waiting {
  let isLink = false;
  try {
    isLink = lstatSync(path.location, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  } catch {
    // Looking at it says what is wrong.
  }
  return { ...path, depth: 0, isLink, isLinked: isLink };
}

function look(entry: Waiting, seen: Set<string>): Found {
  const { location, depth, kind, isLink } = entry;
  const problem = (message: string): Found => ({ kind: "problem", problem: problemOf(entry, message) });
  /** Nothing is there, so nothing of it stays in the index. */
  const gone = (message: string): Found => ({
    kind: "problem",
    problem: { path: entry.path, message },
  });
  try {
    const stats = statSync(location, { throwIfNoEntry: false });
    if (stats === undefined) {
      if (isLink) return gone("It is a link that leads nowhere");
      return depth === 0 && kind === "extra" ? gone("It is not there") : { kind: "nothing" };
    }
    const identity = `${stats.dev}:${stats.ino}`;
    if (seen.has(identity)) return { kind: "nothing" };
    if (stats.isDirectory()) {
      seen.add(identity);
      const inside = readdirSync(location, { withFileTypes: true })
        .filter((each) => isWanted(each.name, each.isFile()))
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .map((each) => childOf(entry, each));
      return { kind: "folder", inside };
    }
    if (depth > 0 && !TEXT_FILE.test(location)) return { kind: "nothing" };
    if (!stats.isFile()) return problem("It is neither a file nor a folder");
    seen.add(identity);
    return { kind: "file", stats };
  } catch (error) {
    if (codeOf(error) === "") throw error;
    return problem(whyNot(error));
  }
}

function isWanted(name: string, isFile: boolean): boolean {
  return !name.startsWith(".") && name !== "node_modules" && (!isFile || TEXT_FILE.test(name));
}

function childOf(folder: Waiting, entry: Dirent): Waiting {
  const { name } = entry;
  const isLink = entry.isSymbolicLink();
  const day = folder.kind === "notes" && folder.depth === 0 && DAY.test(name) && TEXT_FILE.test(name);
  return {
    ...folder,
    location: join(folder.location, name),
    path: `${folder.path}/${name}`,
    shownAs: `${folder.shownAs}/${name}`,
    kind: day ? "daily" : folder.kind,
    depth: folder.depth + 1,
    isLink,
    isLinked: folder.isLinked || isLink,
  };
}

function keyOf({ scope, path }: RememberedPath): string {
  return `file ${scope} ${path}`;
}

function problemOf(entry: RememberedPath, message: string): SourceProblem {
  return { keyPrefix: keyOf(entry), path: entry.path, message };
}

function listedOf(entry: Waiting, { mtimeMs, ctimeMs, size, ino }: Stats): ListedDocument {
  const { scope, kind, path, shownAs, location, isLinked } = entry;
  const [, date] = DAY.exec(path.slice(path.lastIndexOf("/") + 1)) ?? [];
  return {
    key: keyOf(entry),
    scope,
    kind,
    path,
    ...((isLinked || kind === "extra") && { outside: realPathOf(location) }),
    // The last but one changes with who may read it, too, and whatever time an editor sets.
    revision: `${mtimeMs} ${size} ${ctimeMs} ${ino}`,
    async read() {
      const read = readText(location);
      if (read === undefined) return undefined;
      const text = read.replaceAll(COMMENT, (comment) => comment.replaceAll(/[^\n]+/g, ""));
      return {
        path: shownAs,
        text,
        // A file that the settings name may be anybody's.
        foreign: kind === "extra" ? [{ from: 0, to: text.length, source: path }] : markedParts(text),
        ...(date !== undefined && { date }),
      };
    },
  };
}

function realPathOf(location: string): string {
  try {
    return realpathSync(location);
  } catch {
    // It has vanished since; reading it says so.
    return location;
  }
}

function readText(location: string): string | undefined {
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
    return text;
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
