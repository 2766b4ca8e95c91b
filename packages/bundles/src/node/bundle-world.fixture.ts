import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Manifest } from "../manifest/manifest.ts";
import { readManifest } from "../manifest/manifest.ts";
import { readRegistryFile, type RegistryFile } from "../manifest/registry-file.ts";
import { createSigningKey, readSigningKey, type SigningKey } from "../signed/keys.ts";
import { signDocument } from "../signed/signed-document.ts";
import { openBundleStore } from "./bundle-store.ts";
import { findBundle, installBundle, type InstallDeps } from "./install-bundle.ts";
import { openBundledPrograms, readInstalled } from "./open-bundles.ts";
import type { RegistryPlace } from "./place.ts";

export const live = new AbortController().signal;
export const NOW = Date.parse("2026-06-01T00:00:00Z");

/** `(module (memory (export "memory") 1) (func (export "_start")))` */
export const PROGRAM = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 5, 3, 1, 0, 1, 7, 19, 2, 6, 109, 101, 109, 111,
  114, 121, 2, 0, 6, 95, 115, 116, 97, 114, 116, 0, 0, 10, 4, 1, 2, 0, 11,
]);
/** Large enough to be cut in the middle: what no compression makes small. */
const BALLAST = Buffer.from(
  Array.from({ length: 8_000 }, (_, at) => createHash("sha256").update(String(at)).digest("hex")).join(""),
);
export const LICENCE = "Do with it what you like.\n";

export const sha256 = (bytes: Uint8Array | string): string =>
  createHash("sha256").update(bytes).digest("hex");

/** A gzipped tar archive, as npm packs one. */
export function pack(files: Readonly<Record<string, Uint8Array>>): Buffer {
  const blocks = Object.entries(files).flatMap(([name, bytes]) => {
    const header = Buffer.alloc(512);
    header.write(name);
    header.write(`${bytes.length.toString(8).padStart(11, "0")}\0`, 124);
    header.write("0", 156);
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

export const ARCHIVE = pack({
  "package/ballast": BALLAST,
  "package/hello.wasm": PROGRAM,
  "package/LICENSE": Buffer.from(LICENCE),
});

export const MANIFEST: Manifest = {
  format: 1,
  name: "hello",
  version: "1.0.0",
  summary: "Says nothing",
  sources: { npm: { from: ["npm:@x/hello@1.0.0"], sha256: sha256(ARCHIVE), bytes: ARCHIVE.length } },
  files: [
    {
      name: "hello.wasm",
      sha256: sha256(PROGRAM),
      bytes: PROGRAM.length,
      take: { source: "npm", path: ["package/hello.wasm"], decode: "none" },
    },
    {
      name: "LICENSE",
      sha256: sha256(LICENCE),
      bytes: LICENCE.length,
      take: { source: "npm", path: ["package/LICENSE"], decode: "none" },
    },
    { name: "note.txt", sha256: sha256("hi\n"), bytes: 3, take: { text: "hi\n" } },
  ],
  commands: [
    {
      names: ["hello"],
      module: "hello.wasm",
      args: [],
      env: {},
      begins: "folder",
      limits: { memoryBytes: 1024 * 1024 },
    },
  ],
  provides: ["note.txt"],
  licences: [{ of: "hello", spdx: "0BSD", file: "LICENSE" }],
};

export async function newKey(): Promise<SigningKey> {
  return await readSigningKey((await createSigningKey()).secretText);
}

/** A registry with one bundle on a server of this machine, and a home to install it in. */
export async function openWorld() {
  const folder = mkdtempSync(join(tmpdir(), "deputy-bundles-"));
  const server = await openFileServer();
  const key = await newKey();
  const store = openBundleStore(join(folder, "bundles"));
  const progress: number[] = [];
  const place: RegistryPlace = { name: "acme", at: `${server.url}/acme.registry`, keys: [key.public.text] };
  const deps: InstallDeps = {
    store,
    fetch,
    nowMs: () => NOW,
    folders: [],
    npm: `${server.url}/npm/`,
    onProgress(_, done) {
      progress.push(done);
      server.arrived(done);
    },
  };
  const publish = async (
    manifest: Manifest = MANIFEST,
    about: Partial<RegistryFile> = {},
    by: { readonly manifest?: SigningKey; readonly registry?: SigningKey } = {},
  ): Promise<void> => {
    const signed = await signDocument("manifest", readManifest(manifest, "It"), by.manifest ?? key);
    const { name, version, summary } = manifest;
    server.files.set("/hello.manifest", Buffer.from(signed));
    const registry = readRegistryFile(
      {
        format: 1,
        name: "acme",
        serial: 1,
        expires: "2027-01-01T00:00:00Z",
        keys: [],
        bundles: [{ name, version, summary, manifest: "hello.manifest", sha256: sha256(signed) }],
        revoked: { keys: [], manifests: [] },
        ...about,
      },
      "It",
    );
    server.files.set(
      "/acme.registry",
      Buffer.from(await signDocument("registry", registry, by.registry ?? key)),
    );
  };
  await publish();
  server.files.set("/npm/@x/hello/-/hello-1.0.0.tgz", ARCHIVE);
  const warned: unknown[] = [];
  return {
    folder,
    server,
    key,
    store,
    place,
    deps,
    progress,
    publish,
    warned,
    install: async (more: Partial<InstallDeps> = {}, places = [place]) => {
      const all = { ...deps, ...more };
      return await installBundle(await findBundle("hello", places, all, live), all, live);
    },
    installed: async (places = [place]) =>
      (await readInstalled(store, places)).map((one) =>
        one.kind === "ready" ? one.record.name : (one.why as { code: string }).code,
      ),
    programs: (places = [place]) => openBundledPrograms(store, places, (why) => void warned.push(why)),
    write(path: string, content: Uint8Array | string) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
      return join(folder, path);
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Files over HTTP, with ranges; a connection can be cut. */
async function openFileServer() {
  const files = new Map<string, Uint8Array>();
  const asked: string[] = [];
  /** Bytes after which a connection breaks, one for each request of an archive to come. */
  const cuts: number[] = [];
  /** Answers that break off once so much has arrived. */
  const held: { readonly response: ServerResponse; readonly until: number }[] = [];
  let ranges = true;
  const send = (
    response: ServerResponse,
    status: number,
    body: Uint8Array,
    from: number,
    all: number,
  ): void => {
    const range = status === 206 ? { "content-range": `bytes ${from}-${all - 1}/${all}` } : {};
    response.writeHead(status, { "content-length": body.length, ...range });
    const cut = all > 100_000 ? cuts.shift() : undefined;
    if (cut === undefined) return void response.end(body);
    held.push({ response, until: from + cut });
    response.flushHeaders();
    response.write(body.subarray(0, cut));
  };
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "");
    const { range } = request.headers;
    asked.push(range === undefined ? path : `${path} ${range}`);
    const file = files.get(path);
    if (file === undefined) return void response.writeHead(404).end();
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0);
    if (from === 0 || !ranges) return send(response, 200, file, 0, file.length);
    if (from >= file.length) return void response.writeHead(416).end();
    send(response, 206, file.subarray(from), from, file.length);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    files,
    asked,
    cuts,
    arrived(bytes: number): void {
      for (const { response, until } of held) if (bytes >= until) response.destroy();
    },
    withoutRanges: () => void (ranges = false),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
