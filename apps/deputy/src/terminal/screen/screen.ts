import {
  type Component,
  Editor,
  matchesKey,
  ProcessTerminal,
  type Terminal,
  TuiMainScreen,
} from "@earendil-works/pi-tui";

/** A terminal that is drawn as things change: a document, below it an input, below that a status. */
export interface Screen extends Disposable {
  /** What `draw` gives is not as it was. Drawn soon, together with what else changes meanwhile. */
  refresh(): void;
  /** Brought back by the up key. */
  remember(text: string): void;
  draft(): string;
  setDraft(text: string): void;
}

export interface ScreenOptions {
  /** The whole document, each line at most that wide. Cheap while nothing has changed. */
  readonly document: (width: number) => readonly string[];
  readonly status: (width: number) => readonly string[];
  readonly onSubmit: (text: string) => void;
  /** `end`: Ctrl-D in an empty input. */
  readonly onKey: (key: "interrupt" | "details" | "end") => void;
  readonly borderStyle: (text: string) => string;
  readonly terminal?: Terminal;
}

/** So many times a second at most: text that streams in is read, not measured. */
const FRAME_MS = 40;

/** Takes the terminal over until it is disposed; what was drawn then stays in its scrollback. */
export function openScreen(options: ScreenOptions): Screen {
  const tui = new TuiMainScreen(options.terminal ?? new ProcessTerminal());
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
  tui.addChild(component(options.document));
  tui.addChild(editor);
  tui.addChild(component(options.status));
  tui.setFocus(editor);
  tui.addInputListener((data) => {
    if (matchesKey(data, "ctrl+c")) options.onKey("interrupt");
    else if (matchesKey(data, "ctrl+o")) options.onKey("details");
    else if (matchesKey(data, "ctrl+d") && editor.getText() === "") options.onKey("end");
    else return undefined;
    return { consume: true };
  });
  tui.start();

  let timer: NodeJS.Timeout | undefined;
  const draw = (): void => {
    timer = undefined;
    tui.requestRender();
  };
  return {
    refresh: () => void (timer ??= setTimeout(draw, FRAME_MS)),
    remember: (text) => editor.addToHistory(text),
    draft: () => editor.getExpandedText(),
    setDraft(text) {
      editor.setText(text);
      tui.requestRender();
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      // What changed last is in the scrollback, too.
      tui.renderNow();
      tui.stop();
    },
  };
}

function component(lines: (width: number) => readonly string[]): Component {
  return { render: (width) => [...lines(width)], invalidate: () => undefined };
}
