import { createHash } from "node:crypto";
import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** More files of its own no plugin has; what comes after them is not looked at. */
const MOST_FILES = 2_000;
const CODE: ReadonlySet<string> = new Set([".ts", ".mts", ".cts", ".js", ".mjs", ".cjs", ".wasm", ".node"]);
/** A place beside the file, or a whole path, in quotes; with what leads to it. */
const PLACES = /((?:from|import|require)\s*\(?\s*)?(["'`])((?:\.{1,2}\/|\/|file:)[^"'`\n]{1,1000})\2/g;
/** A module whose name is computed may be any that lies there. */
const COMPUTED = /(?:import|require)\s*\(\s*(?!["'`][^"'`$\n]*["'`]\s*[,)])/;
/** Names that the package itself gives to its files. */
const OWN_NAMES = /["']#[^"'\n]+["']/;

/**
 * The contents of a plugin: of its file, and of each local module that its code names, by whatever way. Installed
 * packages are not followed. Never fails: a file that cannot be read counts as such.
 */
export function hashModules(file: string): string {
  const contents = new Map<string, string>();
  const waiting = [file];
  for (let next = waiting.pop(); next !== undefined && contents.size < MOST_FILES; next = waiting.pop()) {
    const path = realPath(next);
    if (contents.has(path)) continue;
    const source = readSource(path);
    contents.set(path, createHash("sha256").update(source).digest("hex"));
    if (extname(path) !== ".wasm" && extname(path) !== ".node")
      waiting.push(...namedIn(path, source.toString()));
  }
  const listed = [...contents].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(listed)).digest("hex");
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function readSource(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.from("cannot be read");
  }
}

function namedIn(path: string, source: string): readonly string[] {
  const directory = dirname(path);
  const found = [...source.matchAll(PLACES)].flatMap(([, lead, , place = ""]) => {
    const named = moduleAt(directory, place);
    // Data that is only read may change with each call; data that is imported is code.
    return named !== undefined && (CODE.has(extname(named)) || lead !== undefined) ? [named] : [];
  });
  const around = COMPUTED.test(source) ? modulesUnder(directory) : [];
  const names = OWN_NAMES.test(source) ? manifestsOver(directory) : [];
  return [...found, ...around, ...names];
}

/** As Node resolves it; without an ending, as `require` does. */
function moduleAt(directory: string, place: string): string | undefined {
  const [bare = ""] = place.split(/[?#]/);
  try {
    const path = bare.startsWith("file:") ? fileURLToPath(bare) : resolve(directory, bare);
    const endings = [
      "",
      ".js",
      ".json",
      ".node",
      ".ts",
      ".mjs",
      ".cjs",
      "/index.js",
      "/index.json",
      "/index.ts",
    ];
    return endings.map((ending) => `${path}${ending}`).find(isFile);
  } catch {
    return undefined;
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function modulesUnder(directory: string): readonly string[] {
  try {
    return readdirSync(directory, { recursive: true, encoding: "utf8" })
      .filter((name) => CODE.has(extname(name)) && !/(?:^|[\\/])(?:node_modules|\.git)[\\/]/.test(name))
      .slice(0, MOST_FILES)
      .map((name) => join(directory, name));
  } catch {
    return [];
  }
}

/** The `package.json` whose names count: the nearest. */
function manifestsOver(directory: string): readonly string[] {
  const manifest = join(directory, "package.json");
  if (isFile(manifest)) return [manifest];
  const over = dirname(directory);
  return over === directory ? [] : manifestsOver(over);
}
