import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DECLARATIONS, DECLARED, writePackage } from "./bundle.ts";
import { writeDeclarations } from "./write-declarations.ts";

export interface Tarball {
  readonly path: string;
  readonly bytes: number;
  readonly unpackedBytes: number;
}

/** Builds the installable package and packs it into `directory`. */
export async function packTarball(directory: string): Promise<Tarball> {
  mkdirSync(directory, { recursive: true });
  const folder = join(directory, "package");
  await writePackage(folder);
  await writeDeclarations(DECLARED, join(folder, DECLARATIONS));
  const output = execFileSync("npm", ["pack", "--json", "--pack-destination", directory], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [packed] = JSON.parse(output) as [{ filename: string; size: number; unpackedSize: number }];
  return { path: join(directory, packed.filename), bytes: packed.size, unpackedBytes: packed.unpackedSize };
}
