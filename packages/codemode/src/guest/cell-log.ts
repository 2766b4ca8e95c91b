import { utf8Length } from "./utf8-length.ts";

/** Lines the code wrote, up to a size; the rest is left out. */
export interface CellLog {
  isFull(): boolean;
  write(line: string): void;
  /** Lines since the last `take`. */
  take(): readonly string[];
  /** What is left to write; negative once the log is full. */
  leftBytes(): number;
}

export function createCellLog(maxBytes: number): CellLog {
  let lines: string[] = [];
  let leftBytes = maxBytes;
  let full = maxBytes < 0;
  return {
    isFull: () => full,
    write(line) {
      if (full) return;
      // The line break counts, or empty lines would be free.
      const bytes = utf8Length(line) + 1;
      full = bytes > leftBytes;
      leftBytes = full ? -1 : leftBytes - bytes;
      lines.push(full ? "… the log is full; what followed was left out" : line);
    },
    take() {
      const taken = lines;
      lines = [];
      return taken;
    },
    leftBytes: () => leftBytes,
  };
}
