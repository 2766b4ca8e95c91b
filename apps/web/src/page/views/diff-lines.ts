/** What `diff -u` says, as rows that can stand side by side. The page never compares files itself, only words of two lines. */
export interface Hunk {
  readonly title: string;
  readonly rows: readonly DiffRow[];
}

export interface DiffRow {
  readonly kind: "same" | "changed";
  readonly before?: DiffLine;
  readonly after?: DiffLine;
}

export interface DiffLine {
  readonly number: number;
  readonly text: string;
}

export interface Piece {
  readonly text: string;
  readonly isChanged: boolean;
}

const HEAD = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

export function readHunks(text: string): readonly Hunk[] {
  const hunks: { title: string; rows: DiffRow[] }[] = [];
  let before = 0;
  let after = 0;
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  const flush = (): void => {
    const rows = hunks.at(-1)?.rows;
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1) {
      const [old, now] = [removed[at], added[at]];
      rows?.push({
        kind: "changed",
        ...(old !== undefined && { before: old }),
        ...(now !== undefined && { after: now }),
      });
    }
    removed = [];
    added = [];
  };
  for (const line of text.split("\n")) {
    const head = HEAD.exec(line);
    if (head !== null) {
      flush();
      before = Number(head[1]);
      after = Number(head[2]);
      hunks.push({ title: line, rows: [] });
    } else if (hunks.length === 0) continue;
    else if (line.startsWith("-")) {
      if (added.length > 0) flush();
      removed.push({ number: before++, text: line.slice(1) });
    } else if (line.startsWith("+")) added.push({ number: after++, text: line.slice(1) });
    else if (line.startsWith(" ")) {
      flush();
      const same = line.slice(1);
      hunks.at(-1)?.rows.push({
        kind: "same",
        before: { number: before++, text: same },
        after: { number: after++, text: same },
      });
    }
  }
  flush();
  return hunks;
}

/** Longer lines are marked as a whole. */
const MOST_CHARS = 500;
const MOST_WORDS = 160;

/** The words by which two lines differ. */
export function changedWords(before: string, after: string): readonly [readonly Piece[], readonly Piece[]] {
  const [a, b] = [words(before), words(after)];
  if (Math.max(before.length, after.length) > MOST_CHARS || Math.max(a.length, b.length) > MOST_WORDS)
    return [[{ text: before, isChanged: true }], [{ text: after, isChanged: true }]];
  // How long the common part of the rest of both is.
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  const common = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = lengths[i];
      if (row !== undefined)
        row[j] = a[i] === b[j] ? common(i + 1, j + 1) + 1 : Math.max(common(i + 1, j), common(i, j + 1));
    }
  const [old, now]: [Piece[], Piece[]] = [[], []];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      push(old, a[i], false);
      push(now, b[j], false);
      i += 1;
      j += 1;
    } else if (j >= b.length || (i < a.length && common(i + 1, j) >= common(i, j + 1))) {
      push(old, a[i], true);
      i += 1;
    } else {
      push(now, b[j], true);
      j += 1;
    }
  }
  return [old, now];
}

function words(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

function push(pieces: Piece[], text: string | undefined, isChanged: boolean): void {
  const last = pieces.at(-1);
  if (text === undefined) return;
  if (last?.isChanged === isChanged) pieces[pieces.length - 1] = { text: last.text + text, isChanged };
  else pieces.push({ text, isChanged });
}
