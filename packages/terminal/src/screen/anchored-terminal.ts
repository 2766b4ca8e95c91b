import { ProcessTerminal } from "@earendil-works/pi-tui";

/** What a drawing that begins all over is begun with: the window and everything above it are cleared. */
const CLEAR_ALL = "\u001b[2J\u001b[H\u001b[3J";
const WHERE_IS_THE_CURSOR = "\u001b[6n";
const CURSOR_IS_AT = /^\u001b\[(\d+);(\d+)R$/;
/** A terminal that does not say where its cursor is within this time never does: it is not asked again. */
const ANSWER_MS = 3_000;
/** A drawing without it changes a row or two in place and comes back to the input, whatever the size: nothing moves. */
const NEXT_ROW = "\n";
/** Until a terminal is taken over, it gives its programs a new line for Enter; later, that is Ctrl-J. */
const TYPED_ENTER_EARLY = "\n";
const ENTER = "\r";
/** What was written so shortly before the size changed may have come to the terminal after that, and out of place. */
const UNDER_WAY_MS = 100;

/** The terminal shows what is typed early where its cursor is: so many blanks go over the edge unless a line is empty. */
const freshLine = (columns: number): string => `${" ".repeat(columns)}\r\u001b[K`;

export interface Anchoring {
  /** Called before a drawing that would clear everything; nothing is written until this returns. */
  readonly onClear: () => void;
  /** The row of the cursor, from 1; undefined when that says nothing about where everything else is. */
  readonly onCursor: (row: number | undefined) => void;
}

/**
 * The terminal of this process. Its scrollback is left alone, because other programs wrote there. A drawing that
 * would clear it is held back, and `Anchoring` is asked for another. Limit: when the size changes during a drawing,
 * it is unknown what the terminal shows.
 */
export class AnchoredTerminal extends ProcessTerminal {
  readonly #anchoring: Anchoring;
  #state: "drawing" | "asking" | "clearing" = "drawing";
  #asked = 0;
  #writtenMs = 0;
  #isSure = true;
  #answers = true;
  #timer: NodeJS.Timeout | undefined;
  /** What is read now was typed before the terminal was taken over. */
  #isEarly = true;

  constructor(anchoring: Anchoring) {
    super();
    this.#anchoring = anchoring;
  }

  override start(onInput: (data: string) => void, onResize: () => void): void {
    super.start(
      (data) => {
        if (!this.#isAnswer(data)) onInput(this.#isEarly && data === TYPED_ENTER_EARLY ? ENTER : data);
      },
      () => {
        // The known position of the cursor belongs to the old size.
        if (this.#state === "asking") this.#ask();
        else this.#isSure = performance.now() - this.#writtenMs > UNDER_WAY_MS;
        onResize();
      },
    );
    super.write(freshLine(this.columns));
    // What is waiting there is read in the next round of the event loop, at once.
    setImmediate(() => setImmediate(() => (this.#isEarly = false)));
  }

  override write(data: string): void {
    if (this.#state === "asking") return;
    if (this.#state === "clearing" || !data.includes(CLEAR_ALL)) {
      if (data.includes(NEXT_ROW)) this.#writtenMs = performance.now();
      super.write(data);
      return;
    }
    this.#state = "asking";
    this.#anchoring.onClear();
    this.#ask();
  }

  /** Lets what is drawn by `draw` clear everything. */
  clearing(draw: () => void): void {
    const before = this.#state;
    this.#state = "clearing";
    try {
      draw();
    } finally {
      this.#state = before === "asking" ? "drawing" : before;
    }
  }

  /** Nothing is asked any more. */
  giveUp(): void {
    clearTimeout(this.#timer);
    this.#state = "drawing";
  }

  #ask(): void {
    clearTimeout(this.#timer);
    if (!this.#isSure || !this.#answers) {
      this.#timer = setTimeout(() => this.#answer(undefined), 0);
      return;
    }
    this.#asked += 1;
    const asked = this.#asked;
    // An answer that came while this process was busy with something else is read before it is missed.
    this.#timer = setTimeout(() => setImmediate(() => this.#miss(asked)), ANSWER_MS);
    super.write(WHERE_IS_THE_CURSOR);
  }

  #miss(asked: number): void {
    if (this.#state !== "asking" || this.#asked !== asked) return;
    this.#answers = false;
    this.#answer(undefined);
  }

  #isAnswer(data: string): boolean {
    const [, row] = this.#asked === 0 ? [] : (CURSOR_IS_AT.exec(data) ?? []);
    if (row === undefined) return false;
    this.#asked -= 1;
    // The last question is the one after the last change of size.
    if (this.#asked === 0 && this.#state === "asking") this.#answer(Number(row));
    return true;
  }

  #answer(row: number | undefined): void {
    clearTimeout(this.#timer);
    this.#asked = 0;
    this.#state = "drawing";
    this.#isSure = true;
    this.#anchoring.onCursor(row);
  }
}
