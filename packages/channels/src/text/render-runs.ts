import { type Run, sameStyle, type Style } from "./styled-text.ts";

/** How an app writes styles into its text. */
export interface Tags {
  open(style: Style): string;
  close(style: Style): string;
  escape(text: string): string;
  /** The styles that the app can show together, of those wanted. */
  allow(styles: readonly Style[]): readonly Style[];
}

/** The runs as one text with tags: each that is opened is closed, in order. */
export function renderRuns(runs: readonly Run[], tags: Tags): string {
  const open: Style[] = [];
  let written = "";
  const closeTo = (depth: number): void => {
    while (open.length > depth) written += tags.close(open.pop() as Style);
  };
  for (const { text, styles } of runs) {
    const wanted = tags.allow(styles);
    let shared = 0;
    while (shared < open.length && sameStyle(open[shared] as Style, wanted[shared])) shared += 1;
    closeTo(shared);
    for (const style of wanted.slice(shared)) {
      written += tags.open(style);
      open.push(style);
    }
    written += tags.escape(text);
  }
  closeTo(0);
  return written;
}
