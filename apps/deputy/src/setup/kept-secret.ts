import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { keepSecret } from "./connect-model.ts";

/** A secret that Deputy makes up itself, at its first use, and keeps in a file of the home: 32 bytes, as hex. */
export function keptSecret(
  directory: string,
  name: string,
  make: () => string = () => randomBytes(32).toString("hex"),
): string {
  const file = join(directory, "keys", name);
  if (!existsSync(file)) keepSecret(directory, name, make());
  return readFileSync(file, "utf8").trim();
}
