import { type Component, Editor, matchesKey, TuiMainScreen, visibleWidth } from "@earendil-works/pi-tui";
import { AnchoredTerminal } from "./anchored-terminal.ts";
import type { ChooseKey } from "./choose-calls.ts";

const MOST_REMEMBERED = 1_000;

/** A terminal that is drawn as things change: a document, below it an input, below that a status. */
export interface Screen extends Disposable {
  /** What `draw` gives is not as it was. Drawn soon, together with what else changes meanwhile. */
  refresh(): void;
  /**
   * Draws everything from its beginning, also what has scrolled out of the window. Where that takes clearing
   * what is above it, other programs' text goes, too.
   */
  redrawAll(): void;
  /** Brought back by the up key, or by Ctrl-R and a part of it. */
  remember(text: string): void;
  draft(): string;
  setDraft(text: string): void;
}

export interface ScreenDocument {
  /** The whole document from where it begins, each line at most that wide. Cheap while nothing has changed. */
  draw(width: number): Drawing;
  /** From its very beginning again. */
  beginAnew(): void;
  status(width: number): readonly string[];
}

export interface Drawing {
  readonly lines: readonly string[];
  /** So many of its lines have scrolled out of the window: the document begins after them. */
  beginAfter(count: number): void;
}

export interface ScreenOptions {
  readonly document: ScreenDocument;
  readonly onSubmit: (text: string) => void;
  /** `end`: Ctrl-D in an empty input. */
  readonly onKey: (key: "interrupt" | "details" | "end" | "complete") => void;
  /** A key in an empty input, `leave` for any that is none of these. True if that was all it was for. */
  readonly onChoose: (key: ChooseKey) => boolean;
  readonly borderStyle: (text: string) => string;
}

type RenderState = ReturnType<TuiMainScreen["captureRenderState"]>;

/** So many times a second at most: text that streams in is read, not measured. */
const FRAME_MS = 40;

const NOTHING_DRAWN: RenderState = {
  previousLines: [],
  previousWidth: 0,
  previousHeight: 0,
  cursorRow: 0,
  hardwareCursorRow: 0,
  maxLinesRendered: 0,
  previousViewportTop: 0,
};

/** Takes the terminal over until it is disposed; what was drawn then stays in its scrollback. */
export function openScreen(options: ScreenOptions): Screen {
  const { document } = options;
  /** What is in the window, and what is about to be. */
  let shown: Drawing | undefined;
  let next: Drawing | undefined;
  let before: RenderState | undefined;
  let isWhole = true;

  const drawDocument = (width: number): readonly string[] => {
    if (before === undefined) shown = next;
    next = document.draw(width);
    return next.lines;
  };
  /** The window is drawn anew, from the line at its top on; what has scrolled out of it stays as it is. */
  const drawWindow = (cursorRow: number): void => {
    if (before === undefined) return;
    const { previousLines: lines, hardwareCursorRow: cursorLine } = before;
    const { columns, rows } = terminal;
    const top = findWindowTop({ lines, cursorLine, cursorRow, columns });
    shown?.beginAfter(Math.min(top.line, shown.lines.length));
    isWhole &&= top.line === 0;
    before = undefined;
    terminal.write(`\u001b[${top.row};1H\u001b[J`);
    tui.restoreRenderState(NOTHING_DRAWN);
    tui.renderNow();
    const drawn = tui.captureRenderState();
    const previousViewportTop = Math.max(drawn.previousLines.length + top.row - 1 - rows, 0);
    tui.restoreRenderState({ ...drawn, previousViewportTop });
  };
  const drawAll = (): void => {
    if (before !== undefined) tui.restoreRenderState(before);
    before = undefined;
    document.beginAnew();
    terminal.clearing(() => tui.renderNow(!isWhole));
    isWhole = true;
  };
  const terminal = new AnchoredTerminal({
    onClear: () => void (before = tui.captureRenderState()),
    onCursor: (row) => (row === undefined ? drawAll() : drawWindow(row)),
  });
  const tui = new TuiMainScreen(terminal);
  const recall = createRecall();
  const plain = (text: string): string => text;
  const selectList = {
    selectedPrefix: plain,
    selectedText: plain,
    description: plain,
    scrollInfo: plain,
    noMatch: plain,
  };
  const editor = new Editor(tui, { borderColor: options.borderStyle, selectList });
  editor.onSubmit = (text) => options.onSubmit(text);
  tui.addChild(component(drawDocument));
  tui.addChild(editor);
  tui.addChild(component(document.status));
  tui.setFocus(editor);
  tui.addInputListener((data) => {
    if (matchesKey(data, "ctrl+c")) options.onKey("interrupt");
    else if (matchesKey(data, "ctrl+o")) options.onKey("details");
    else if (matchesKey(data, "ctrl+d") && editor.getText() === "") options.onKey("end");
    else if (matchesKey(data, "tab")) options.onKey("complete");
    else if (matchesKey(data, "ctrl+r")) setDraft(recall.search(editor.getExpandedText()));
    else if (editor.getText() !== "" || !options.onChoose(chooseKeyOf(data))) return undefined;
    return { consume: true };
  });
  tui.start();

  const setDraft = (text: string | undefined): void => {
    if (text === undefined) return;
    editor.setText(text);
    tui.requestRender();
  };
  let timer: NodeJS.Timeout | undefined;
  const draw = (): void => {
    timer = undefined;
    tui.requestRender();
  };
  return {
    refresh: () => void (timer ??= setTimeout(draw, FRAME_MS)),
    redrawAll: drawAll,
    remember(text) {
      editor.addToHistory(text);
      recall.remember(text);
    },
    draft: () => editor.getExpandedText(),
    setDraft,
    [Symbol.dispose]() {
      clearTimeout(timer);
      terminal.giveUp();
      // What changed last is in the scrollback, too.
      if (before === undefined) tui.renderNow();
      else drawAll();
      terminal.giveUp();
      tui.stop();
    },
  };
}

const CHOOSE_KEYS = [
  ["up", "up"],
  ["down", "down"],
  ["right", "open"],
  ["left", "close"],
  ["space", "mark"],
  ["a", "all"],
  ["enter", "enter"],
] as const;

function chooseKeyOf(data: string): ChooseKey {
  return CHOOSE_KEYS.find(([key]) => matchesKey(data, key))?.[1] ?? "leave";
}

function component(lines: (width: number) => readonly string[]): Component {
  return { render: (width) => [...lines(width)], invalidate: () => undefined };
}

/** What was said before, to be found by a part of it. */
export interface Recall {
  remember(text: string): void;
  /**
   * The newest message that has `draft` in it; given what it found, the next older one. Undefined when there
   * is none. Case does not count.
   */
  search(draft: string): string | undefined;
}

export function createRecall(): Recall {
  let said: string[] = [];
  let wanted = "";
  let found: { readonly text: string; readonly at: number } | undefined;

  return {
    remember(text) {
      said = [...said.filter((other) => other !== text), text].slice(-MOST_REMEMBERED);
      found = undefined;
    },
    search(draft) {
      const isSame = found !== undefined && found.text === draft;
      if (!isSame) wanted = draft.toLowerCase();
      const before = isSame && found !== undefined ? found.at : said.length;
      const at = said.slice(0, before).findLastIndex((text) => text.toLowerCase().includes(wanted));
      const text = said[at];
      if (text === undefined) return undefined;
      found = { text, at };
      return text;
    },
  };
}

/** What was drawn last, and where the terminal has its cursor now that it may have another size. */
export interface WindowState {
  /** As drawn: one row each, then. */
  readonly lines: readonly string[];
  /** The line that the cursor is on. */
  readonly cursorLine: number;
  /** The cursor's row in the window, from 1. */
  readonly cursorRow: number;
  readonly columns: number;
}

export interface WindowTop {
  /** The first line that is in the window from its beginning. */
  readonly line: number;
  /** The row it is on, from 1. */
  readonly row: number;
}

/**
 * Finds the line at the top of a window. A line that is too long for it now takes several rows, as terminals
 * that wrap anew have it. Limit: in one that cuts lines off instead, some lines at the top go missing.
 */
export function findWindowTop({ lines, cursorLine, cursorRow, columns }: WindowState): WindowTop {
  let line = Math.min(cursorLine, lines.length);
  let row = cursorRow;
  while (line > 0) {
    const rows = Math.max(Math.ceil(visibleWidth(lines[line - 1] ?? "") / columns), 1);
    if (row - rows < 1) break;
    row -= rows;
    line -= 1;
  }
  return { line, row };
}
