import { LOG_FULL } from "../sandbox.ts";
import { utf8Length } from "./utf8-length.ts";

/** Lines the code wrote, up to a size; the rest is left out. */
export interface CellLog {
  isFull(): boolean;
  write(line: string): void;
  /** Lines since the last `take`. */
  take(): readonly string[];
  /** Everything up to now. */
  save(): SavedLog;
}

export interface SavedLog {
  readonly lines: readonly string[];
  /** What is left to write; negative once the log is full. */
  readonly leftBytes: number;
}

/** `saved`: the log of a cell that continues from an image. */
export function createCellLog(
  maxBytes: number,
  saved: SavedLog = { lines: [], leftBytes: maxBytes },
): CellLog {
  const lines = [...saved.lines];
  let { leftBytes } = saved;
  let taken = lines.length;
  return {
    isFull: () => leftBytes < 0,
    write(line) {
      if (leftBytes < 0) return;
      // The line break counts; otherwise empty lines would be free.
      const bytes = utf8Length(line) + 1;
      leftBytes = bytes > leftBytes ? -1 : leftBytes - bytes;
      lines.push(leftBytes < 0 ? LOG_FULL : line);
    },
    take() {
      const from = taken;
      taken = lines.length;
      return lines.slice(from);
    },
    save: () => ({ lines: [...lines], leftBytes }),
  };
}
