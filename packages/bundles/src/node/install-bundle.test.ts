import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Manifest } from "../manifest/manifest.ts";
import {
  ARCHIVE,
  LICENCE,
  live,
  MANIFEST,
  newKey,
  openWorld,
  pack,
  PROGRAM,
  sha256,
} from "./bundle-world.fixture.ts";
import { download } from "./download.ts";
import { readInstalled, readVerified } from "./open-bundles.ts";

const TARBALL = "/npm/@x/hello/-/hello-1.0.0.tgz";

test("[BU2] a bundle is brought from its npm package, and then used without the network", async () => {
  await using world = await openWorld();
  await world.install();
  expect(world.server.asked).toEqual(["/acme.registry", "/hello.manifest", TARBALL]);
  await world.server.close();
  const programs = world.programs();
  const { commands, files } = await programs.read(live);
  expect(commands[0]).toMatchObject({ names: ["hello"], module: sha256(PROGRAM) });
  expect((await programs.module(sha256(PROGRAM))).module).toBeInstanceOf(WebAssembly.Module);
  expect([...files]).toEqual([["/opt/bundles/hello/note.txt", new TextEncoder().encode("hi\n")]]);
  // Nothing of the download stays.
  expect(readdirSync(join(world.folder, "bundles", "partial"))).toEqual([]);
});

test("[BU2] what is here already is not brought again, unless it was changed", async () => {
  await using world = await openWorld();
  await world.install();
  await world.install();
  expect(world.server.asked.filter((path) => path === TARBALL)).toHaveLength(1);
  world.write(`bundles/files/${sha256(PROGRAM)}`, PROGRAM.with(28, 9));
  await world.install();
  expect(world.server.asked.filter((path) => path === TARBALL)).toHaveLength(2);
  expect(readFileSync(join(world.folder, "bundles/files", sha256(PROGRAM))).equals(PROGRAM)).toBe(true);
});

test("[BU2] a file that is other than its manifest says installs nothing", async () => {
  await using world = await openWorld();
  const [program, licence, note] = MANIFEST.files;
  if (program === undefined || licence === undefined || note === undefined) throw new Error("It has three");
  for (const [wrong, code] of [
    [{ ...program, sha256: sha256("other") }, "bundle_tampered"],
    [{ ...program, bytes: PROGRAM.length + 1 }, "bundle_tampered"],
    [{ ...program, take: { source: "npm", path: ["package/gone"], decode: "none" } }, "bundle_invalid"],
    [{ ...program, take: { source: "npm", path: ["package/LICENSE"], decode: "none" } }, "bundle_tampered"],
  ] satisfies [Manifest["files"][number], string][]) {
    await world.publish({ ...MANIFEST, files: [wrong, licence, note] });
    await expect(world.install(), JSON.stringify(wrong)).rejects.toMatchObject({ code });
    expect(await world.installed()).toEqual([]);
  }
});

test("[BU2] a program that may not run is not installed", async () => {
  await using world = await openWorld();
  const greedy = { ...MANIFEST.commands[0]!, limits: { memoryBytes: 65_536 } };
  await world.publish({ ...MANIFEST, commands: [greedy] });
  await world.install();
  const large = PROGRAM.with(28, 9);
  const archive = pack({ "package/hello.wasm": large, "package/LICENSE": Buffer.from(LICENCE) });
  world.server.files.set(TARBALL, archive);
  const files = MANIFEST.files.map((file) =>
    file.name === "hello.wasm" ? { ...file, sha256: sha256(large) } : file,
  );
  const sources = { npm: { ...MANIFEST.sources["npm"]!, sha256: sha256(archive), bytes: archive.length } };
  await world.publish({ ...MANIFEST, version: "2.0.0", files, sources, commands: [greedy] });
  await expect(world.install()).rejects.toMatchObject({ code: "module_refused" });
  // What was there before still is.
  const [state] = await readInstalled(world.store, [world.place]);
  expect(state?.record.version).toBe("1.0.0");
});

test("[BU3] where nobody knows the registry of npm, it says what to set, and asks nobody", async () => {
  await using world = await openWorld();
  const failed = await world.install({ npm: undefined }).catch((error: unknown) => error);
  expect(failed).toMatchObject({
    code: "bundle_unavailable",
    message: expect.stringContaining("Set bundles.npm"),
  });
  expect(world.server.asked).not.toContain(TARBALL);
});

test("[BU3] a registry of npm may end without a slash", async () => {
  await using world = await openWorld();
  await world.install({ npm: `${world.server.url}/npm` });
  expect(world.server.asked).toContain(TARBALL);
});

test("[BU3] a download that is cut goes on by itself, and says how far it is", async () => {
  await using world = await openWorld();
  world.server.cuts.push(100_000, 50_000);
  await world.install();
  const ranges = world.server.asked.filter((path) => path.startsWith(TARBALL));
  expect(ranges).toEqual([TARBALL, expect.stringContaining("bytes="), expect.stringContaining("bytes=")]);
  expect(world.progress.at(-1)).toBe(ARCHIVE.length);
  expect(world.progress).toEqual(world.progress.toSorted((one, other) => one - other));
});

test("[BU3] one that breaks off too often is gone on with the next time", async () => {
  await using world = await openWorld();
  world.server.cuts.push(60_000, 0, 0, 0);
  await expect(world.install()).rejects.toMatchObject({ code: "bundle_unavailable" });
  expect(await world.installed()).toEqual([]);
  world.server.asked.length = 0;
  await world.install();
  expect(world.server.asked.at(-1)).toMatch(/bytes=[1-9]\d*-$/);
  expect(await world.installed()).toEqual(["hello"]);
});

test("[BU3] a server without ranges gives it from the start", async () => {
  await using world = await openWorld();
  world.server.withoutRanges();
  world.server.cuts.push(100_000);
  await world.install();
  expect(await world.installed()).toEqual(["hello"]);
});

test("[BU3] too short, too long, other bytes and nothing at all are refused by name", async () => {
  await using world = await openWorld();
  for (const [body, code] of [
    [ARCHIVE.subarray(0, -1), "bundle_unavailable"],
    [Buffer.concat([ARCHIVE, Buffer.from("x")]), "bundle_tampered"],
    [Buffer.from(ARCHIVE).fill(1, 5_000, 5_001), "bundle_tampered"],
    [undefined, "bundle_unavailable"],
  ] as const) {
    if (body === undefined) world.server.files.delete(TARBALL);
    else world.server.files.set(TARBALL, body);
    await expect(world.install(), String(body?.length)).rejects.toMatchObject({ code });
    expect(await world.installed()).toEqual([]);
  }
  world.server.files.set(TARBALL, ARCHIVE);
  await world.install();
  expect(await world.installed()).toEqual(["hello"]);
});

test("[BU3] an abort ends a download with the signal's reason, and keeps what came", async () => {
  await using world = await openWorld();
  const stop = new AbortController();
  const file = world.store.partial("x");
  const order = {
    url: `${world.server.url}${TARBALL}`,
    expected: { sha256: sha256(ARCHIVE), bytes: ARCHIVE.length },
    file,
    fetch,
    onBytes: (done: number) => void (done > 0 && stop.abort(new DOMException("Enough", "AbortError"))),
  };
  await expect(download(order, stop.signal)).rejects.toMatchObject({ name: "AbortError" });
  await download({ ...order, onBytes: () => undefined }, live);
  expect(readFileSync(file).equals(ARCHIVE)).toBe(true);
});

test("[BU7] a package that lies here, packed or installed, is judged by the same hashes", async () => {
  await using world = await openWorld();
  const packed = world.write("packed/x-hello-1.0.0.tgz", ARCHIVE);
  await world.install({ folders: [join(packed, "..")] });
  expect(world.server.asked).not.toContain(TARBALL);

  await using other = await openWorld();
  other.write("node_modules/@x/hello/package.json", '{"version":"1.0.0"}');
  other.write("node_modules/@x/hello/hello.wasm", PROGRAM.with(30, 7));
  other.write("node_modules/@x/hello/LICENSE", LICENCE);
  await expect(other.install({ folders: [other.folder] })).rejects.toMatchObject({ code: "bundle_tampered" });
  other.write("node_modules/@x/hello/hello.wasm", PROGRAM);
  await other.install({ folders: [other.folder] });
  expect(other.server.asked).not.toContain(TARBALL);
  expect(await other.installed()).toEqual(["hello"]);

  // Another version is no such package.
  await using third = await openWorld();
  third.write("node_modules/@x/hello/package.json", '{"version":"1.0.1"}');
  await third.install({ folders: [third.folder] });
  expect(third.server.asked).toContain(TARBALL);
});

test("[BU7] a packed file that was changed is refused", async () => {
  await using world = await openWorld();
  const packed = world.write("packed/x-hello-1.0.0.tgz", Buffer.from(ARCHIVE).fill(0, 900, 901));
  await expect(world.install({ folders: [join(packed, "..")] })).rejects.toMatchObject({
    code: "bundle_tampered",
  });
  expect(await world.installed()).toEqual([]);
});

test("[BU8] licences are kept with the bundle, and checked as everything is", async () => {
  await using world = await openWorld();
  const manifest = await world.install();
  const [licence] = manifest.licences;
  expect(licence).toMatchObject({ of: "hello", spdx: "0BSD" });
  expect(Buffer.from(await readVerified(manifest, licence?.file ?? "", world.store)).toString()).toBe(
    LICENCE,
  );
});

test("[BU6] a registry counts by the keys that were named for it, under its own name", async () => {
  await using world = await openWorld();
  const stranger = await newKey();
  await expect(world.install({}, [{ ...world.place, keys: [stranger.public.text] }])).rejects.toMatchObject({
    code: "bundle_untrusted",
  });
  await expect(world.install({}, [{ ...world.place, name: "other" }])).rejects.toMatchObject({
    code: "bundle_tampered",
  });
  // A key that the registry lists signs its manifests.
  await world.publish(MANIFEST, {}, { manifest: stranger });
  await expect(world.install()).rejects.toMatchObject({ code: "bundle_untrusted" });
  await world.publish(MANIFEST, { keys: [stranger.public.text], serial: 2 }, { manifest: stranger });
  await world.install();
  // A registry that the settings name no more counts no more.
  expect(await world.installed([])).toEqual(["bundle_untrusted"]);
});
