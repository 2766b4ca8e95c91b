import type { SearchedFiles } from "../files/further-folders.ts";
import { compileGlob } from "@deputy/kit/pattern";
import { compilePattern, type LinePattern } from "@deputy/kit/pattern";

export interface GrepOrder {
  readonly pattern: string;
  readonly isLiteral: boolean;
  readonly letters: "exact" | "any-case";
  readonly path: string;
  readonly glob?: string | undefined;
  readonly limit: number;
}

export interface Grepped {
  readonly matches: readonly { readonly path: string; readonly line: number; readonly text: string }[];
  /** True when there may be more, because a limit was reached. */
  readonly isCut: boolean;
  readonly filesSearched: number;
}

const MOST_BYTES = 64 * 1024 * 1024;
const MOST_FILE_BYTES = 4 * 1024 * 1024;
const MOST_LINE_CHARS = 500;

/** Lines of text files that hold a pattern. Time grows with the text alone; files that are not text are passed over. */
export async function grepFiles(
  workspace: SearchedFiles,
  order: GrepOrder,
  signal: AbortSignal,
): Promise<Grepped> {
  const pattern = order.isLiteral
    ? plainPattern(order.pattern, order.letters)
    : compilePattern(order.pattern, order.letters);
  const isWanted = order.glob === undefined ? () => true : compileGlob(order.glob);
  const matches: { path: string; line: number; text: string }[] = [];
  let [bytes, filesSearched] = [0, 0];
  for (const path of await filesUnder(workspace, order.path, signal)) {
    if (!isWanted(path)) continue;
    const { size } = await sizeOf(workspace, path, signal);
    if (size > MOST_FILE_BYTES) continue;
    bytes += size;
    if (bytes > MOST_BYTES) return { matches, isCut: true, filesSearched };
    const text = await textOf(workspace, path, signal);
    if (text === undefined) continue;
    filesSearched++;
    if (!text.includes(pattern.literal)) continue;
    for (const [index, line] of text.split(/\r?\n/).entries()) {
      if (!pattern.test(line)) continue;
      if (matches.length >= order.limit) return { matches, isCut: true, filesSearched };
      matches.push({ path, line: index + 1, text: line.slice(0, MOST_LINE_CHARS) });
    }
  }
  return { matches, isCut: false, filesSearched };
}

/** Those under a folder, or the one file that is meant. */
async function filesUnder(
  workspace: SearchedFiles,
  path: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { kind } = await workspace.stat(path, signal);
  return kind === "file" ? [path] : await workspace.walk(path, signal);
}

async function sizeOf(
  workspace: SearchedFiles,
  path: string,
  signal: AbortSignal,
): Promise<{ readonly size: number }> {
  const found = await workspace.stat(path, signal);
  return { size: found.kind === "file" ? found.size : Number.POSITIVE_INFINITY };
}

async function textOf(
  workspace: SearchedFiles,
  path: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const bytes = await workspace.read(path, signal);
  const text = new TextDecoder().decode(bytes);
  return text.includes("\0") ? undefined : text;
}

function plainPattern(text: string, letters: GrepOrder["letters"]): LinePattern {
  if (letters === "exact") return { literal: text, test: (line) => line.includes(text) };
  const lower = text.toLowerCase();
  return { literal: "", test: (line) => line.toLowerCase().includes(lower) };
}
