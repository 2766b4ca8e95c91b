import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { bundleNameSchema, sha256Schema, versionSchema } from "../manifest/manifest.ts";
import { readIfThere, writeWhole } from "./files.ts";

const recordSchema = z.object({
  registry: bundleNameSchema,
  name: bundleNameSchema,
  version: versionSchema,
  /** The sha256 of its manifest. */
  manifest: sha256Schema,
});

export type InstalledRecord = z.infer<typeof recordSchema>;

/**
 * What is kept of bundles in a home: files by their sha256, and which bundles are installed. Nothing that is read
 * here is trusted: who reads verifies.
 */
export interface BundleStore {
  readFile(sha256: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  writeFile(sha256: string, bytes: Uint8Array): Promise<void>;
  readRegistry(name: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  writeRegistry(name: string, bytes: Uint8Array): Promise<void>;
  /** Sorted by name. A record that cannot be read is none. */
  installed(): Promise<readonly InstalledRecord[]>;
  install(record: InstalledRecord): Promise<void>;
  /** False if it was not installed. */
  remove(name: string): Promise<boolean>;
  /** Removes every file but these. */
  keepOnly(sha256: ReadonlySet<string>): Promise<void>;
  /** Where a download is kept until it is complete. */
  partial(sha256: string): string;
}

/** `folder` need not exist. */
export function openBundleStore(folder: string): BundleStore {
  const fileOf = (sha256: string): string => join(folder, "files", sha256);
  const registryOf = (name: string): string => join(folder, "registries", `${name}.registry`);
  const records = join(folder, "installed");
  const recordOf = (name: string): string => join(records, `${name}.json`);
  return {
    readFile: (sha256) => readIfThere(fileOf(sha256)),
    writeFile: (sha256, bytes) => writeWhole(fileOf(sha256), bytes),
    readRegistry: (name) => readIfThere(registryOf(name)),
    writeRegistry: (name, bytes) => writeWhole(registryOf(name), bytes),
    async installed() {
      const found: InstalledRecord[] = [];
      for (const entry of (await namesIn(records)).sort()) {
        const read = recordSchema.safeParse(parse(await readIfThere(join(records, entry))));
        if (read.success && `${read.data.name}.json` === entry) found.push(read.data);
      }
      return found;
    },
    install: (record) => writeWhole(recordOf(record.name), `${JSON.stringify(record)}\n`),
    async remove(name) {
      const there = (await readIfThere(recordOf(name))) !== undefined;
      await rm(recordOf(name), { force: true });
      return there;
    },
    async keepOnly(sha256) {
      for (const name of await namesIn(join(folder, "files")))
        if (!sha256.has(name)) await rm(fileOf(name), { force: true });
    },
    partial: (sha256) => join(folder, "partial", sha256),
  };
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
}

function parse(bytes: Uint8Array | undefined): unknown {
  try {
    return bytes === undefined ? undefined : JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
