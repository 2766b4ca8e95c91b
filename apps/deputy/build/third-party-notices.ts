import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Metafile } from "esbuild";

/** Files in which a package says under which terms it is given. */
const LEGAL_FILE = /^(?:licen[cs]e|copying|notice|copyright)(?:[-.].*)?$/i;
const PACKAGE = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/**
 * The licences of everything that the bundle has code of, one after the other. Throws for a package that says nothing of
 * its licence: it must not be shipped before somebody has looked.
 */
export async function thirdPartyNotices(
  root: string,
  folders: readonly string[],
  /** Of files that come with the bundle. */
  others: readonly string[],
): Promise<string> {
  const notices = [...others];
  for (const folder of new Set(folders)) notices.push(await noticeOf(root, join(root, folder)));
  const opening =
    "Deputy's own licence is in LICENSE. Its bundle has code of the following packages, each under its own terms.";
  return [opening, ...notices.toSorted()].join(`\n\n${"-".repeat(80)}\n\n`) + "\n";
}

/** Folders, below the root, of packages of which something is left in the bundle. */
export function bundledPackages({ outputs }: Metafile): readonly string[] {
  const folders = new Set<string>();
  for (const { inputs } of Object.values(outputs))
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const [, folder] = PACKAGE.exec(path) ?? [];
      if (folder !== undefined && bytesInOutput > 0) folders.add(folder);
    }
  return [...folders];
}

/** The same of modules by their paths. */
export function packagesOf(root: string, modules: readonly string[]): readonly string[] {
  const folders = modules.flatMap(
    (path) => PACKAGE.exec(relative(root, path.replaceAll("\0", "")))?.[1] ?? [],
  );
  return [...new Set(folders)];
}

async function noticeOf(root: string, folder: string): Promise<string> {
  const { name, version, license, author } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const texts: string[] = [];
  for (const file of (await readdir(folder)).toSorted())
    if (LEGAL_FILE.test(file)) texts.push((await readFile(join(folder, file), "utf8")).trim());
  if (texts.length === 0 && typeof license !== "string")
    throw new Error(`${name} says nothing of its licence`);
  const by = typeof author === "string" ? author : author?.name;
  const head = `${name} ${version} (${typeof license === "string" ? license : "see below"})`;
  const without = `No licence file comes with it. Copyright (c) ${by ?? `the authors of ${name}`}`;
  const terms = license === "MIT" ? [without, await mitTerms(root)] : [without];
  return [head, ...(texts.length === 0 ? terms : texts)].join("\n\n");
}

/** As in Deputy's own licence, which is the same. */
async function mitTerms(root: string): Promise<string> {
  const own = await readFile(join(root, "LICENSE"), "utf8");
  return own.slice(own.indexOf("Permission is hereby granted")).trim();
}
