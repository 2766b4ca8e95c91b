import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What an app keeps in the home from one start to the next: how far it has heard. Losing it is no failure. */
export interface KeptFile {
  /** Undefined if there is nothing, or nothing that can be read. */
  read(): unknown;
  /** What cannot be written is not kept. */
  write(value: unknown): void;
}

export function keptFile(home: string, app: string): KeptFile {
  const folder = join(home, "channels");
  const file = join(folder, `${app}.json`);
  return {
    read: () => {
      try {
        return JSON.parse(readFileSync(file, "utf8")) as unknown;
      } catch {
        return undefined;
      }
    },
    write: (value) => {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(`${file}.new`, JSON.stringify(value), { mode: 0o600 });
        renameSync(`${file}.new`, file);
      } catch {
        // The next thing that is heard is kept anew.
      }
    },
  };
}
