import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";

const TAB = "  ";

/**
 * One styled line as lines of at most `width` columns, styles carried over; those after the first begin
 * with `indent`. Text that is not ours must have been made visible before.
 */
export function wrapLine(line: string, width: number, indent = ""): readonly string[] {
  const text = line.replaceAll("\t", TAB);
  if (visibleWidth(text) <= width) return [text];
  const hanging = indent.length < width / 2 ? indent : "";
  const lines = wrapTextWithAnsi(text, Math.max(width - hanging.length, 1));
  return lines.map((one, n) => fit(n === 0 ? one : hanging + one, width));
}

/** The columns that a styled line takes. */
export function lineWidth(line: string): number {
  return visibleWidth(line);
}

/** As much of one line as fits; the rest is an ellipsis. */
export function cutLine(line: string, width: number): string {
  return fit(line.replaceAll("\t", TAB), width);
}

/** Also a single wide character may be wider than all there is. */
function fit(line: string, width: number): string {
  return visibleWidth(line) <= width ? line : truncateToWidth(line, width, "…");
}
