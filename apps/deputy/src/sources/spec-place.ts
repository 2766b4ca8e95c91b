import { resolve } from "node:path";
import type { OpenApiSettings } from "../config/tool-source-schema.ts";
import { createHash } from "node:crypto";

/** A document in a file is read without review, because only the user can write there. */
export function isRemoteSpec(spec: string): boolean {
  return /^https?:\/\//i.test(spec);
}

export function specPinFile({ name, spec }: OpenApiSettings, home: string): string {
  return resolve(home, "openapi", `${name ?? sha256(spec).slice(0, 16)}.json`);
}

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
