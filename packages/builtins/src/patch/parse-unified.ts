import { type FilePatch, type Hunk, invalidPatch, type PatchLine } from "./patch.ts";

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const NOWHERE = "/dev/null";

/** A unified diff, as `diff -u` and git write them. Counts that are a little off are forgiven. Throws `patch_invalid`. */
export function parseUnified(text: string): readonly FilePatch[] {
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  if (lines.at(-1) === "") lines.pop();
  const files: FilePatch[] = [];
  let at = 0;
  let renamed: { from?: string; to?: string } = {};
  while (at < lines.length) {
    const line = lines[at] ?? "";
    if (/^(?:GIT binary patch|Binary files )/.test(line))
      throw invalidPatch("it changes a file that is not text");
    if (line.startsWith("diff --git ")) {
      files.push(...onlyRenamed(renamed));
      renamed = {};
    }
    if (line.startsWith("rename from ")) renamed.from = line.slice(12);
    if (line.startsWith("rename to ")) renamed.to = line.slice(10);
    if (!isHeader(lines, at)) {
      if (HUNK.test(line)) throw invalidPatch("it begins with a hunk, and names no file (--- and +++)");
      at++;
      continue;
    }
    const [from, to] = [nameOf(line, "--- "), nameOf(lines[at + 1] ?? "", "+++ ")];
    const read = readHunks(lines, at + 2);
    files.push(toFile(from, to, read.hunks));
    renamed = {};
    at = read.next;
  }
  files.push(...onlyRenamed(renamed));
  if (files.length === 0) throw invalidPatch("it names no file (--- and +++)");
  return files;
}

function onlyRenamed({ from, to }: { readonly from?: string; readonly to?: string }): readonly FilePatch[] {
  return from === undefined || to === undefined
    ? []
    : [{ kind: "update", path: from, moveTo: to, hunks: [] }];
}

function isHeader(lines: readonly string[], at: number): boolean {
  return lines[at]?.startsWith("--- ") === true && lines[at + 1]?.startsWith("+++ ") === true;
}

function nameOf(line: string, mark: string): string {
  return line.slice(mark.length).split("\t", 1)[0]?.trim() ?? "";
}

function toFile(from: string, to: string, hunks: readonly Hunk[]): FilePatch {
  if (from === NOWHERE && to === NOWHERE) throw invalidPatch("it names no file");
  const isPrefixed = (from === NOWHERE || from.startsWith("a/")) && (to === NOWHERE || to.startsWith("b/"));
  const plain = (name: string): string => (isPrefixed ? name.slice(2) : name);
  if (to === NOWHERE) return { kind: "delete", path: plain(from) };
  if (from === NOWHERE) return { kind: "add", path: plain(to), content: contentOf(hunks) };
  if (hunks.length === 0 && from === to) throw invalidPatch(`it changes nothing in ${plain(from)}`);
  const moved = plain(from) === plain(to) ? {} : { moveTo: plain(to) };
  return { kind: "update", path: plain(from), hunks, ...moved };
}

function contentOf(hunks: readonly Hunk[]): string {
  const lines = hunks.flatMap((hunk) =>
    hunk.lines.filter(({ mark }) => mark === "+").map(({ text }) => text),
  );
  if (lines.length === 0) return "";
  return lines.join("\n") + (hunks.at(-1)?.endsBare === true ? "" : "\n");
}

function readHunks(
  lines: readonly string[],
  from: number,
): { readonly hunks: readonly Hunk[]; readonly next: number } {
  const hunks: Hunk[] = [];
  let at = from;
  for (;;) {
    const [, oldStart, oldCount, , newCount] = HUNK.exec(lines[at] ?? "") ?? [];
    if (oldStart === undefined) return { hunks, next: at };
    const counts = { old: Number(oldCount ?? 1), now: Number(newCount ?? 1) };
    const read = readLines(lines, at + 1, counts);
    const common = { anchors: [], isAtEnd: false, lines: read.lines, endsBare: read.endsBare };
    hunks.push({ ...common, oldStart: Number(oldStart) });
    at = read.next;
  }
}

function readLines(lines: readonly string[], from: number, counts: { old: number; now: number }) {
  const found: PatchLine[] = [];
  let endsBare = false;
  let at = from;
  for (; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const isCounted = counts.old > 0 || counts.now > 0;
    if (!isCounted && line === "") break;
    // A removed line may look like a header: as long as lines are missing, only one with a hunk is one.
    if (isHeader(lines, at) && (!isCounted || HUNK.test(lines[at + 2] ?? ""))) break;
    if (line.startsWith("\\")) {
      endsBare ||= found.at(-1)?.mark !== "-";
      continue;
    }
    const mark = line === "" ? " " : line.slice(0, 1);
    if (mark !== " " && mark !== "+" && mark !== "-") break;
    if (mark !== "+") counts.old--;
    if (mark !== "-") counts.now--;
    found.push({ mark, text: line.slice(1) });
  }
  return { lines: found, endsBare, next: at };
}
