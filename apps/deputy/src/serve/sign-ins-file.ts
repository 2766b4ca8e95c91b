import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SignInRecord, SignInStore } from "@deputy/gateway";
import { z } from "zod";
import { AppError } from "../app-error.ts";
import { changeFile } from "../config/config-file.ts";

const text = z.string().max(1_000);
const recordSchema = z.object({
  id: text,
  client: text,
  from: text,
  at: text,
  lastAt: text,
  expiresAt: text,
  mark: text,
});
const fileSchema = z.object({ signIns: z.array(recordSchema) });

/** `sign-ins.json` in the home: which browsers are signed in. A file that cannot be read signs them all out. */
export function openSignInsFile(home: string, warn: (text: string) => void): SignInStore {
  const file = join(home, "sign-ins.json");
  return {
    read(): readonly SignInRecord[] {
      try {
        return fileSchema.parse(JSON.parse(readFileSync(file, "utf8"))).signIns;
      } catch {
        return [];
      }
    },
    write(signIns) {
      try {
        changeFile(file, () => `${JSON.stringify({ signIns }, null, 2)}\n`);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        warn(`${error.message}. Browsers that sign in now are signed out at the next start.`);
      }
    },
  };
}
