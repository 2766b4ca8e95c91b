import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { z } from "zod";

/**
 * One service's data, in a file that only its owner can read. It is read for every request: deleting it starts over.
 */
export interface DemoFile<T> {
  /** Creates it if it is missing. Throws if it is damaged, and leaves it unchanged. */
  read(): T;
  /** Writes everything or nothing. */
  write(value: T): void;
}

/** Only one process uses it: the one that holds the home. */
export function createDemoFile<T>(file: string, schema: z.ZodType<T>, invent: () => T): DemoFile<T> {
  const write = (value: T): void => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // Renamed into place, so that a crash leaves the old file or the new one.
    const fresh = `${file}.new`;
    writeFileSync(fresh, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
    renameSync(fresh, file);
  };
  return {
    write,
    read() {
      if (!existsSync(file)) write(invent());
      try {
        return schema.parse(JSON.parse(readFileSync(file, "utf8")));
      } catch (cause) {
        const name = `demo/${basename(file)}`;
        throw new Error(`${name} in Deputy's home is damaged; delete it to start over.`, { cause });
      }
    },
  };
}
