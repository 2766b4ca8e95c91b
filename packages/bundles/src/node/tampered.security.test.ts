import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { signDocument } from "../signed/signed-document.ts";
import { verifyManifest, verifyRegistry } from "../verify.ts";
import { live, MANIFEST, newKey, NOW, openWorld, PROGRAM, sha256 } from "./bundle-world.fixture.ts";

const REFUSED = /^bundle_(?:tampered|invalid|untrusted)$/;
const fileOf = async (world: Awaited<ReturnType<typeof openWorld>>, path: string) =>
  new Uint8Array(world.server.files.get(path) ?? []);

test("[BU1] one byte of a registry or a manifest, anywhere, and it is refused", async () => {
  await using world = await openWorld();
  const registryBytes = await fileOf(world, "/acme.registry");
  const manifestBytes = await fileOf(world, "/hello.manifest");
  const registry = await verifyRegistry(registryBytes, [world.key.public], "It");
  const entry = registry.file.bundles[0] ?? expect.unreachable();
  await verifyManifest(manifestBytes, entry, registry);
  for (let at = 0; at < registryBytes.length; at += 1)
    for (const changed of [
      registryBytes.with(at, (registryBytes[at] ?? 0) ^ 1),
      registryBytes.with(at, 0x20),
      new Uint8Array([...registryBytes.subarray(0, at), 0x20, ...registryBytes.subarray(at)]),
    ])
      if (Buffer.compare(changed, registryBytes) !== 0)
        await expect(verifyRegistry(changed, [world.key.public], "It"), `byte ${at}`).rejects.toMatchObject({
          code: expect.stringMatching(REFUSED) as unknown,
        });
  for (let at = 0; at < manifestBytes.length; at += 1) {
    const changed = manifestBytes.with(at, (manifestBytes[at] ?? 0) ^ 1);
    await expect(verifyManifest(changed, entry, registry), `byte ${at}`).rejects.toMatchObject({
      code: "bundle_tampered",
    });
    // Also if the registry said that it were so: then the signature decides.
    await expect(
      verifyManifest(changed, { ...entry, sha256: sha256(changed) }, registry),
      `byte ${at}`,
    ).rejects.toMatchObject({ code: expect.stringMatching(REFUSED) as unknown });
  }
});

test("[BU1] a signature for something else is none", async () => {
  await using world = await openWorld();
  const registry = await verifyRegistry(await fileOf(world, "/acme.registry"), [world.key.public], "It");
  const entry = registry.file.bundles[0] ?? expect.unreachable();
  const asRegistry = Buffer.from(await signDocument("registry", MANIFEST, world.key));
  const bytes = new Uint8Array(asRegistry);
  await expect(verifyManifest(bytes, { ...entry, sha256: sha256(bytes) }, registry)).rejects.toMatchObject({
    code: "bundle_tampered",
  });
  // The manifest of another bundle, and of another version, rightly signed.
  for (const changed of [{ name: "other" }, { version: "0.9.0" }]) {
    const other = new Uint8Array(
      Buffer.from(await signDocument("manifest", { ...MANIFEST, ...changed }, world.key)),
    );
    await expect(verifyManifest(other, { ...entry, sha256: sha256(other) }, registry)).rejects.toMatchObject({
      code: "bundle_tampered",
    });
  }
});

test("[BU1] with a byte of the published registry, manifest or package changed, nothing is installed", async () => {
  for (const path of ["/acme.registry", "/hello.manifest", "/npm/@x/hello/-/hello-1.0.0.tgz"]) {
    await using world = await openWorld();
    const bytes = await fileOf(world, path);
    world.server.files.set(path, bytes.with(bytes.length >> 1, (bytes[bytes.length >> 1] ?? 0) ^ 4));
    await expect(world.install(), path).rejects.toMatchObject({
      code: expect.stringMatching(REFUSED) as unknown,
    });
    expect(await world.installed(), path).toEqual([]);
  }
});

test("[BU4] a byte of what is installed, changed on the disk, is refused when it is used", async () => {
  await using world = await openWorld();
  await world.install();
  const [command] = (await world.programs().read(live)).commands;
  const manifestHash = sha256(await fileOf(world, "/hello.manifest"));
  const paths = {
    program: `bundles/files/${command?.module ?? ""}`,
    note: `bundles/files/${sha256("hi\n")}`,
    manifest: `bundles/files/${manifestHash}`,
    registry: "bundles/registries/acme.registry",
  };
  const whole = {
    program: PROGRAM,
    note: new TextEncoder().encode("hi\n"),
    manifest: await fileOf(world, "/hello.manifest"),
    registry: await fileOf(world, "/acme.registry"),
  };
  for (const what of ["program", "note", "manifest", "registry"] as const) {
    const bytes = whole[what];
    const middle = bytes.length >> 1;
    world.write(paths[what], bytes.with(middle, (bytes[middle] ?? 0) ^ 1));
    const programs = world.programs();
    const code = expect.stringMatching(/^bundle_(?:tampered|untrusted|invalid|unavailable)$/) as unknown;
    if (what === "program")
      await expect(programs.module(command?.module ?? "")).rejects.toMatchObject({ code });
    else {
      expect(await programs.read(live), what).toEqual({ commands: [], files: new Map() });
      expect(world.warned.at(-1), what).toMatchObject({ code });
    }
    world.write(paths[what], bytes);
    expect((await world.programs().read(live)).commands, what).toHaveLength(1);
  }
  rmSync(join(world.folder, paths.program));
  await expect(world.programs().module(command?.module ?? "")).rejects.toMatchObject({
    code: "bundle_unavailable",
  });
});

test("[BU4] a program that nobody signed is not run, whatever its file is called", async () => {
  await using world = await openWorld();
  await world.install();
  const foreign = PROGRAM.with(28, 2);
  world.write(`bundles/files/${sha256(foreign)}`, foreign);
  await expect(world.programs().module(sha256(foreign))).rejects.toMatchObject({
    code: "bundle_unavailable",
  });
  await expect(world.programs().module("../../../etc/passwd")).rejects.toMatchObject({
    code: "bundle_unavailable",
  });
});

test("[BU5] what was taken back, a bundle or a key, is neither installed nor used", async () => {
  const helper = await newKey();
  for (const about of [
    (manifest: string) => ({ revoked: { keys: [], manifests: [manifest] } }),
    () => ({ revoked: { keys: [helper.public.id], manifests: [] } }),
  ]) {
    await using world = await openWorld();
    const keys = [helper.public.text];
    await world.publish(MANIFEST, { keys }, { manifest: helper });
    await world.install();
    const manifest = sha256(await fileOf(world, "/hello.manifest"));
    await world.publish(MANIFEST, { keys, serial: 2, ...about(manifest) }, { manifest: helper });
    await expect(world.install()).rejects.toMatchObject({ code: "bundle_revoked" });
    // The registry is known now, so what was installed before is not used any more.
    expect(await world.installed()).toEqual(["bundle_revoked"]);
    expect((await world.programs().read(live)).commands).toEqual([]);
  }
  await using world = await openWorld();
  await world.publish(MANIFEST, { revoked: { keys: [world.key.public.id], manifests: [] } });
  await expect(world.install()).rejects.toMatchObject({ code: "bundle_revoked" });
});

test("[BU5] nothing is installed from a registry that is past its date; what is installed stays", async () => {
  await using world = await openWorld();
  await world.install();
  const later = () => NOW + 366 * 86_400_000;
  await expect(world.install({ nowMs: later })).rejects.toMatchObject({ code: "bundle_expired" });
  expect(await world.installed()).toEqual(["hello"]);
});

test("[BU5] a registry that is older than what is known of it is refused", async () => {
  await using world = await openWorld();
  await world.publish(MANIFEST, { serial: 7 });
  await world.install();
  await world.publish(MANIFEST, { serial: 6 });
  await expect(world.install()).rejects.toMatchObject({ code: "bundle_expired" });
});
