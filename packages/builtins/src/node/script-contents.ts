import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { isUtf8 } from "node:buffer";
import { makeVisible, shorten } from "@deputy/kit";
import { createPathFacts } from "@deputy/shell-gate/node";
import { listCommands, type ListedCommand } from "@deputy/shell-gate";
import type { ShownScripts } from "../bash/judged-command.ts";

/** Where a command runs: the workspace's folder on this machine, and below it where the command starts. */
interface CommandPlace {
  readonly folder: string;
  readonly cwd: string;
}

const MOST_SCRIPTS = 8;
const MOST_NAMED = 20;
const MOST_LOOKUPS = 5_000;
const LONGEST_QUOTED = 80;
/** Of a longer script the beginning and the end are read. */
const LARGEST_BYTES = 64 * 1024;
/** The workspace as commands in a sandbox see it. */
const MOUNTED = "/workspace";
/** In a folder that is run as a whole, these run. */
const MAIN_FILE = /^(?:index|main|__main__|__init__)\.\w+$/;
/** `--file=x`, `BASH_ENV=x`, `-fx`: what comes before a file's name in the same word. */
const BEFORE_NAME = /^(?:[^/=]*=|-\w)/;

/**
 * The files of the workspace that a command line runs, for a question to show: what is called, and what is given to
 * any command that is not known to take files as data. What is called comes first. What these run in turn is not
 * followed. What is left out, and what cannot be told before the line runs, is said. Never throws.
 */
export function scriptContents(command: string, place: CommandPlace): ShownScripts {
  try {
    return showScripts(command, place);
  } catch {
    return { contents: [], notes: ["Deputy could not look at what it runs."] };
  }
}

function showScripts(command: string, { folder, cwd }: CommandPlace): ShownScripts {
  const tree = realpathSync(folder);
  const { commands, unread } = listCommands(command, { facts: createPathFacts(), start: join(tree, cwd) });
  const look = createLook(tree);
  const first = new Set<string>();
  const other = new Set<string>();
  const runs = new Set(commands.flatMap((one) => (one.takesData ? [] : [one.pipeline])));
  for (const one of commands) {
    const files = filesOf(one, look);
    // What a command only reads may still be run by the next in its pipeline.
    if (one.takesData && !runs.has(one.pipeline)) for (const path of files.given) other.add(path);
    else if (one.takesData) for (const path of [...files.given, ...files.named]) other.add(path);
    else {
      const [called, ...more] = files.named;
      for (const path of files.own) first.add(path);
      if (called !== undefined) first.add(called);
      for (const path of [...files.given, ...more]) other.add(path);
    }
  }
  const found = [...new Set([...first, ...other])];
  const contents: { readonly path: string; readonly text: string }[] = [];
  const left: string[] = [];
  for (const path of found) {
    const text = contents.length < MOST_SCRIPTS ? readText(path) : undefined;
    if (text === undefined) left.push(relative(tree, path));
    else contents.push({ path: relative(tree, path), text });
  }
  return { contents, notes: [...notesOf(commands, unread), ...leftOut(left), ...look.trouble()] };
}

/** Finds files of the workspace by words, seen from some directories. */
interface Look {
  files(word: string, directories: readonly string[]): readonly string[];
  /** What a program would take a bare name for: `build` for `build.js`, `pkg.tool` for `pkg/tool.py`. */
  alike(word: string, directories: readonly string[]): readonly string[];
  trouble(): readonly string[];
}

function createLook(tree: string): Look {
  let lookups = 0;
  const inside = (path: string): string | undefined => {
    lookups += 1;
    if (lookups > MOST_LOOKUPS || path.includes("\0")) return undefined;
    try {
      const real = realpathSync(path);
      const way = relative(tree, real);
      return way.startsWith("..") || isAbsolute(way) ? undefined : real;
    } catch {
      return undefined;
    }
  };
  const pathsOf = (word: string, directories: readonly string[]): readonly string[] =>
    word === MOUNTED || word.startsWith(`${MOUNTED}/`)
      ? [join(tree, word.slice(MOUNTED.length))]
      : directories.map((directory) => resolve(directory, word));
  const isKind = (path: string, kind: "isFile" | "isDirectory"): boolean =>
    statSync(path, { throwIfNoEntry: false })?.[kind]() === true;
  const listed = (directory: string, fits: (name: string) => boolean): readonly string[] => {
    const real = inside(directory);
    if (real === undefined || !isKind(real, "isDirectory")) return [];
    return readdirSync(real)
      .filter(fits)
      .flatMap((name) => inside(join(real, name)) ?? [])
      .filter((path) => isKind(path, "isFile"));
  };
  return {
    files: (word, directories) =>
      pathsOf(word, directories)
        .flatMap((path) => inside(path) ?? [])
        .filter((path) => isKind(path, "isFile")),
    alike: (word, directories) =>
      [word, word.replaceAll(".", "/")].flatMap((name) =>
        pathsOf(name, directories).flatMap((path) =>
          listed(path, (file) => MAIN_FILE.test(file)).concat(
            listed(dirname(path), (file) => file.startsWith(`${basename(path)}.`)),
          ),
        ),
      ),
    trouble: () => (lookups > MOST_LOOKUPS ? ["It names too many files for all of them to be shown."] : []),
  };
}

interface FilesOf {
  /** By its words, in their order. */
  readonly named: readonly string[];
  readonly given: readonly string[];
  /** That its program takes by itself. */
  readonly own: readonly string[];
}

function filesOf({ words, given, directories, takesData }: ListedCommand, look: Look): FilesOf {
  const [name, ...rest] = words;
  const find = (word: string): readonly string[] => {
    const exact = [word, word.replace(BEFORE_NAME, "")].flatMap((file) => look.files(file, directories));
    if (exact.length > 0 || takesData || word.startsWith("-")) return exact;
    return look.alike(word, directories);
  };
  const called = (name?.texts ?? []).filter((text) => text.includes("/"));
  return {
    named: [
      ...called.flatMap((text) => look.files(text, directories)),
      ...rest.flatMap(({ texts = [] }) => texts.flatMap(find)),
    ],
    given: given.flatMap(({ texts = [] }) => texts.flatMap((text) => look.files(text, directories))),
    own: words
      .flatMap(({ texts = [] }) => texts.flatMap((text) => PROGRAM_FILES[basename(text)] ?? []))
      .flatMap((file) => look.files(file, directories)),
  };
}

/** What of the line is known only when it runs. */
function notesOf(commands: readonly ListedCommand[], unread: readonly string[]): readonly string[] {
  if (unread.length > 0)
    return ["Deputy cannot read this line for certain, so it may run more than is shown here."];
  const runs = commands.filter(({ takesData }) => !takesData);
  const unknown = runs.flatMap(({ words, given }) =>
    [...words, ...given].flatMap(({ texts, written }) => (texts === undefined ? [written] : [])),
  );
  const different = [...new Set(unknown)];
  return different.length === 0
    ? []
    : [`It runs something that Deputy cannot tell before: ${different.slice(0, 5).map(quote).join(", ")}.`];
}

function leftOut(paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  const more = paths.length - MOST_NAMED;
  const named = paths.slice(0, MOST_NAMED).map(quote).join(", ");
  return [`It may also run, and they are not shown: ${named}${more > 0 ? `, and ${more} more` : ""}.`];
}

function quote(text: string): string {
  return makeVisible(shorten(text, LONGEST_QUOTED));
}

/** Undefined for what is no text. */
function readText(path: string): string | undefined {
  let fd: number | undefined;
  try {
    // Does not wait for a process that writes to a pipe.
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const stats = fstatSync(fd);
    if (!stats.isFile()) return undefined;
    const bytes = readEnds(fd, stats.size);
    return bytes.includes(0) || !isUtf8(bytes) ? undefined : bytes.toString("utf8");
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function readEnds(fd: number, size: number): Buffer {
  const at = (from: number, length: number): Buffer => {
    const block = Buffer.alloc(length);
    return block.subarray(0, readSync(fd, block, 0, length, from));
  };
  if (size <= LARGEST_BYTES) return at(0, size);
  const half = LARGEST_BYTES / 2;
  const left = Buffer.from(`\n[… ${size - LARGEST_BYTES} bytes left out …]\n`);
  return Buffer.concat([at(0, half), left, at(size - half, half)]);
}

/** Files that programs take their commands from, though no word names them. Only for showing: nothing relies on it. */
const PROGRAM_FILES: Readonly<Record<string, readonly string[]>> = {
  make: ["GNUmakefile", "makefile", "Makefile"],
  gmake: ["GNUmakefile", "makefile", "Makefile"],
  just: ["justfile", "Justfile"],
  task: ["Taskfile.yml"],
  rake: ["Rakefile"],
  ninja: ["build.ninja"],
  cmake: ["CMakeLists.txt"],
  npm: ["package.json"],
  npx: ["package.json"],
  pnpm: ["package.json"],
  yarn: ["package.json"],
  bun: ["package.json"],
  deno: ["deno.json"],
  cargo: ["build.rs", "Cargo.toml"],
  tox: ["tox.ini"],
  pytest: ["conftest.py"],
  gradle: ["build.gradle", "build.gradle.kts"],
  mvn: ["pom.xml"],
  docker: ["Dockerfile", "docker-compose.yml", "compose.yaml"],
  composer: ["composer.json"],
};
