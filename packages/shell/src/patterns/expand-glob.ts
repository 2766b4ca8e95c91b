import { FileSystemError, type FileStat } from "@deputy/vfs";
import { absolutePath } from "../files/paths.ts";
import type { Shell } from "../run/shell.ts";
import { compilePattern, type Pattern } from "./pattern.ts";

/** More files than this from one pattern are refused by the caller's limit. */
interface Walk {
  readonly shell: Shell;
  readonly found: string[];
  readonly options: { readonly extglob: boolean; readonly ignoreCase: boolean };
  readonly dots: boolean;
  readonly globstar: boolean;
}

/** The paths that a pattern stands for, sorted; none if it stands for none. */
export function expandGlob(shell: Shell, pattern: string): readonly string[] {
  const ignore = shell.variables.text("GLOBIGNORE");
  const walk: Walk = {
    shell,
    found: [],
    options: { extglob: shell.shopts.has("extglob"), ignoreCase: shell.shopts.has("nocaseglob") },
    dots: shell.shopts.has("dotglob") || (ignore !== undefined && ignore !== ""),
    globstar: shell.shopts.has("globstar"),
  };
  const segments = splitSegments(pattern);
  const isAbsolute = pattern.startsWith("/");
  step(walk, isAbsolute ? segments.slice(1) : segments, isAbsolute ? "/" : "");
  const found = ignore === undefined || ignore === "" ? walk.found : withoutIgnored(walk, ignore);
  return [...new Set(found)].sort(compareNames);
}

/** As bash sorts in C.UTF-8: by code points. */
export function compareNames(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function withoutIgnored(walk: Walk, ignore: string): readonly string[] {
  const patterns = splitIgnored(ignore).map((each) => ({
    slashes: each.split("/").length,
    pattern: compilePattern(walk.shell.runtime.patterns, each, walk.options),
  }));
  // A `*` stands for no slash here, so only paths of the same depth can match.
  return walk.found.filter(
    (path) =>
      !/(?:^|\/)\.\.?$/.test(path) &&
      !patterns.some(({ slashes, pattern }) => slashes === path.split("/").length && pattern.matches(path)),
  );
}

/** At colons, but not at those of `[[:alnum:]]`. */
function splitIgnored(ignore: string): readonly string[] {
  return ignore.match(/(?:\[(?:\[:\w+:\]|[^\]:])+\]|\\.|[^:])+/gs) ?? [];
}

function splitSegments(pattern: string): readonly string[] {
  const segments: string[] = [];
  let current = "";
  let depth = 0;
  for (let i = 0; i < pattern.length; i += 1) {
    const char = pattern.charAt(i);
    if (char === "\\" && pattern.charAt(i + 1) !== "/") {
      current += char + pattern.charAt(i + 1);
      i += 1;
      continue;
    }
    if (char === "\\") continue;
    if (char === "(" && /[?*+@!]$/.test(current)) depth += 1;
    else if (char === ")" && depth > 0) depth -= 1;
    if (char === "/" && depth === 0) {
      segments.push(current);
      current = "";
    } else current += char;
  }
  segments.push(current);
  return segments;
}

const GLOB = /[*?[]|[+@!]\(/;

export function hasGlob(segment: string): boolean {
  return GLOB.test(segment.replaceAll(/\\./gs, ""));
}

const unquote = (segment: string): string => segment.replaceAll(/\\(.)/gs, "$1");

function step(walk: Walk, segments: readonly string[], base: string): void {
  const [segment, ...rest] = segments;
  if (segment === undefined) return;
  const isLast = rest.length === 0;
  if (segment === "" || !hasGlob(segment)) {
    const path = base + unquote(segment);
    if (isLast) {
      if (segment === "" ? isDirectory(walk, base) : exists(walk, path)) walk.found.push(path);
    } else if (segment === "" || isDirectory(walk, path)) step(walk, rest, `${path}/`);
    return;
  }
  if (segment === "**" && walk.globstar) {
    stars(walk, rest, base);
    return;
  }
  const pattern = compilePattern(walk.shell.runtime.patterns, segment, walk.options);
  for (const name of matching(walk, base, segment, pattern)) {
    if (isLast) walk.found.push(base + name);
    else if (isDirectory(walk, base + name)) step(walk, rest, `${base}${name}/`);
  }
}

/** `**`: this directory and all below, without following links. */
function stars(walk: Walk, rest: readonly string[], base: string): void {
  if (rest.length === 0) {
    if (base !== "") walk.found.push(base);
    for (const { path } of below(walk, base)) walk.found.push(path);
    return;
  }
  step(walk, rest, base);
  for (const { path, kind } of below(walk, base)) if (kind === "directory") step(walk, rest, `${path}/`);
}

function* below(walk: Walk, base: string): Generator<{ readonly path: string; readonly kind: string }> {
  for (const { name, kind } of list(walk, base)) {
    if (name.startsWith(".") && !walk.dots) continue;
    yield { path: base + name, kind };
    if (kind === "directory") yield* below(walk, `${base}${name}/`);
  }
}

function matching(walk: Walk, base: string, segment: string, pattern: Pattern): readonly string[] {
  const wantsDots = /^\\?\./.test(segment) || /^[?*+@!]\([^)]*(?:^|[(|])\./.test(segment);
  const names = list(walk, base).map(({ name }) => name);
  if (wantsDots && !walk.shell.shopts.has("globskipdots")) names.push(".", "..");
  return names.filter((name) => {
    if (name.startsWith(".") && !wantsDots && !walk.dots) return false;
    return pattern.matches(name);
  });
}

function list(walk: Walk, base: string): readonly { readonly name: string; readonly kind: string }[] {
  try {
    const { shell } = walk;
    return [
      ...shell.runtime.fileSystem.readDirectory(absolutePath(shell.cwd, base === "" ? "." : base)),
    ].sort((a, b) => compareNames(a.name, b.name));
  } catch (error) {
    if (error instanceof FileSystemError) return [];
    throw error;
  }
}

function stat(walk: Walk, path: string, links: "follow" | "keep"): FileStat | undefined {
  try {
    return walk.shell.runtime.fileSystem.stat(absolutePath(walk.shell.cwd, path), links);
  } catch (error) {
    if (error instanceof FileSystemError) return undefined;
    throw error;
  }
}

const exists = (walk: Walk, path: string): boolean => stat(walk, path, "keep") !== undefined;
const isDirectory = (walk: Walk, path: string): boolean =>
  stat(walk, path === "" ? "." : path, "follow")?.kind === "directory";
