import type { EventData } from "@deputy/protocol";

/** Lines of a file that were replaced by others. */
export type LineEdit = EventData<"memory.written">["edit"];

/** The smallest edit that makes one text of the other. Null: there is no file. */
export function editBetween(before: string | null, after: string | null): LineEdit {
  const [old, now] = [linesOf(before), linesOf(after)];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  const most = Math.min(old.length, now.length) - head;
  while (tail < most && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  return {
    line: head,
    removed: old.slice(head, old.length - tail),
    added: now.slice(head, now.length - tail),
  };
}

/**
 * Takes an edit back in a text that may have changed elsewhere since. Null: nothing of the file is left. Undefined: the
 * lines that it added are not there any more.
 */
export function undoEdit(text: string | null, edit: LineEdit): string | null | undefined {
  const lines = linesOf(text);
  const at = nearest(lines, edit.added, edit.line);
  if (at === undefined) return undefined;
  const left = [...lines.slice(0, at), ...edit.removed, ...lines.slice(at + edit.added.length)];
  return textOf(left);
}

/** Makes an edit in a text that may have changed elsewhere since; undefined if the lines that it replaces are gone. */
export function redoEdit(text: string | null, { line, removed, added }: LineEdit): string | null | undefined {
  return undoEdit(text, { line, removed: added, added: removed });
}

export function linesOf(text: string | null): string[] {
  if (text === null || text === "") return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

export function textOf(lines: readonly string[]): string | null {
  return lines.length === 0 ? null : `${lines.join("\n")}\n`;
}

/** Where a run of lines is that stands nearest to a line. */
function nearest(lines: readonly string[], wanted: readonly string[], line: number): number | undefined {
  if (wanted.length === 0) return Math.min(line, lines.length);
  const found: number[] = [];
  for (let at = 0; at + wanted.length <= lines.length; at++)
    if (wanted.every((one, n) => lines[at + n] === one)) found.push(at);
  return found.toSorted((a, b) => Math.abs(a - line) - Math.abs(b - line))[0];
}
