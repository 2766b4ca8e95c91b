import { readFileSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { FoundBundle, InstallDeps } from "@deputy/bundles/node";
import { makeVisible } from "@deputy/kit";
import type { NetAudit } from "@deputy/net";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { AppError } from "../../app-error.ts";
import { openAuditedFetch } from "../../bundles/audited-fetch.ts";
import { fetchForBundles } from "../../bundles/ways-out.ts";
import { findNpmRegistry } from "../../bundles/npm-registry.ts";
import { openHomeBundles } from "../../bundles/home-bundles.ts";
import { openHome } from "../../home.ts";
import type { Invocation } from "../../invocation.ts";
import { createLogDoor } from "../../own-services/log-door.ts";
import { describeCondition } from "../../process/report-failure.ts";
import { fileURLToPath } from "node:url";

async function open(invocation: Invocation) {
  const home = openHome(invocation.homeDirectory, invocation.warn);
  return { home, ...(await openHomeBundles(home)) };
}

/** `deputy bundles list`: what is installed and whether it may be used, and what there is besides. */
export async function listBundles(invocation: Invocation): Promise<ExitCode> {
  const { output } = invocation;
  const { store, places } = await open(invocation);
  const { readInstalled, knownRegistry } = await import("@deputy/bundles/node");
  const installed = await readInstalled(store, places);
  for (const one of installed) {
    const { name, version, registry } = one.record;
    const state = one.kind === "ready" ? one.manifest.summary : reasonOf(one.why);
    output.result(
      `${one.kind === "ready" ? "installed" : "REFUSED"}  ${name} ${version} (${registry}): ${state}`,
    );
    const told = one.kind === "ready" ? { summary: one.manifest.summary } : { why: reasonOf(one.why) };
    output.object({ type: "bundle", state: one.kind, ...one.record, ...told });
  }
  for (const place of places) {
    const registry = await knownRegistry(place, store).catch((error: unknown) => {
      output.note(`${place.name}: ${reasonOf(error)}`);
      return undefined;
    });
    for (const { name, version, summary } of registry?.file.bundles ?? []) {
      if (installed.some(({ record }) => record.name === name)) continue;
      output.result(`available  ${name} ${version} (${place.name}): ${makeVisible(summary)}`);
      output.object({ type: "bundle", state: "available", registry: place.name, name, version, summary });
    }
  }
  return EXIT.done;
}

/** `deputy bundles add NAME`: brings it here, verified. */
export async function addBundle(
  invocation: Invocation,
  wanted: string,
  options: { readonly from?: readonly string[] },
): Promise<ExitCode> {
  const { output, signal } = invocation;
  const { home, store, places } = await open(invocation);
  const { findBundle, installBundle } = await import("@deputy/bundles/node");
  const npm = await findNpmRegistry(home, signal);
  await using door = createLogDoor(invocation, home);
  const make = (audit: NetAudit) => fetchForBundles(home, npm, audit);
  await using net = openAuditedFetch(invocation, home, door, { name: "bundles", make });
  const deps: InstallDeps = {
    store,
    fetch: net.fetch,
    nowMs: Date.now,
    folders: [...(options.from ?? []), ...installedPackageFolders()],
    npm,
    onProgress: createProgress(invocation),
  };
  const found: FoundBundle = await findBundle(wanted, places, deps, signal);
  const manifest = await installBundle(found, deps, signal);
  const commands = manifest.commands.flatMap(({ names }) => names);
  const licences = manifest.licences.map(({ of, spdx }) => `${of} (${spdx})`);
  output.result(
    `Installed ${manifest.name} ${manifest.version} from ${found.place.name}: ${commands.join(", ")}`,
  );
  output.note(
    `Licences: ${licences.map(makeVisible).join(", ")}; \`deputy bundles show ${manifest.name}\` shows them.`,
  );
  const { name, version } = manifest;
  output.object({ type: "installed", name, version, registry: found.place.name, commands, licences });
  return EXIT.done;
}

/** Says how far a download is, each time it is another tenth. */
function createProgress({ output }: Pick<Invocation, "output">): InstallDeps["onProgress"] {
  const told = new Map<string, number>();
  return (source, done, total) => {
    const tenth = Math.floor((done / total) * 10);
    if (told.get(source) === tenth) return;
    told.set(source, tenth);
    output.note(`${makeVisible(source)}: ${tenth * 10} % of ${(total / 1e6).toFixed(1)} MB`);
    output.object({ type: "progress", source, done, total });
  };
}

/** `deputy bundles remove NAME`: with its files, unless another bundle has them. */
export async function removeBundle(invocation: Invocation, name: string): Promise<ExitCode> {
  const { store, places } = await open(invocation);
  if (!(await store.remove(name))) throw notInstalled(name);
  const { readInstalled } = await import("@deputy/bundles/node");
  const states = await readInstalled(store, places);
  // While one cannot be read, nobody knows which files it needs.
  if (states.every(({ kind }) => kind === "ready")) {
    const needed = new Set(states.map(({ record }) => record.manifest));
    for (const one of states)
      if (one.kind === "ready") for (const { sha256 } of one.manifest.files) needed.add(sha256);
    await store.keepOnly(needed);
  }
  invocation.output.result(`Removed ${name}`);
  invocation.output.object({ type: "removed", name });
  return EXIT.done;
}

/** `deputy bundles verify`: every byte of what is installed. Exit code 1 if something is not what was signed. */
export async function verifyBundles(invocation: Invocation): Promise<ExitCode> {
  const { output } = invocation;
  const { store, places } = await open(invocation);
  const { readInstalled, verifyFiles } = await import("@deputy/bundles/node");
  let holds = true;
  for (const one of await readInstalled(store, places)) {
    const failure =
      one.kind === "refused"
        ? one.why
        : await verifyFiles(one.manifest, store).then(
            () => undefined,
            (error: unknown) => error,
          );
    const { name, version } = one.record;
    holds &&= failure === undefined;
    const why = failure === undefined ? undefined : reasonOf(failure);
    output.result(`${name} ${version}: ${why ?? "as it was signed"}`);
    output.object({
      type: "verified",
      name,
      version,
      holds: failure === undefined,
      ...(why !== undefined && { why }),
    });
  }
  return holds ? EXIT.done : EXIT.failed;
}

/** `deputy bundles show NAME`: its commands, sources and licences. */
export async function showBundle(invocation: Invocation, name: string): Promise<ExitCode> {
  const { output } = invocation;
  const { store, places } = await open(invocation);
  const { readInstalled, readVerified } = await import("@deputy/bundles/node");
  const one = (await readInstalled(store, places)).find(({ record }) => record.name === name);
  if (one === undefined) throw notInstalled(name);
  if (one.kind === "refused") throw one.why;
  const { manifest, record } = one;
  output.result(
    `${name} ${manifest.version}, from the registry ${record.registry}: ${makeVisible(manifest.summary)}`,
  );
  for (const { names, limits } of manifest.commands)
    output.result(`  ${names.join(", ")}: up to ${Math.round(limits.memoryBytes / 1024 ** 2)} MB of memory`);
  for (const { from, sha256 } of Object.values(manifest.sources))
    output.result(`  from ${from.map(makeVisible).join(" or ")}, sha256 ${sha256}`);
  for (const { name: file, bytes, sha256 } of manifest.files)
    output.result(`  ${file}: ${bytes} bytes, sha256 ${sha256}`);
  for (const { of, spdx, file } of manifest.licences) {
    const text = new TextDecoder().decode(await readVerified(manifest, file, store));
    output.result(
      `\n${makeVisible(of)} (${makeVisible(spdx)}):\n\n${text.split("\n").map(makeVisible).join("\n")}`,
    );
  }
  output.object({ type: "bundle", registry: record.registry, ...manifest });
  return EXIT.done;
}

/** `deputy bundles update`: what registries offer, and what they took back. */
export async function updateRegistries(invocation: Invocation): Promise<ExitCode> {
  const { output, signal } = invocation;
  const { home, store, places } = await open(invocation);
  const { refreshRegistry } = await import("@deputy/bundles/node");
  await using door = createLogDoor(invocation, home);
  const make = (audit: NetAudit) => fetchForBundles(home, undefined, audit);
  await using net = openAuditedFetch(invocation, home, door, { name: "bundles", make });
  let failed = false;
  for (const place of places) {
    try {
      const { file } = await refreshRegistry(place, { store, fetch: net.fetch }, signal);
      output.result(`${place.name}: ${file.bundles.length} bundles, valid until ${file.expires}`);
      output.object({ type: "registry", name: place.name, serial: file.serial, expires: file.expires });
    } catch (error) {
      if (signal.aborted) throw error;
      failed = true;
      output.result(`${place.name}: ${reasonOf(error)}`);
      output.object({ type: "registry", name: place.name, why: reasonOf(error) });
    }
  }
  return failed ? EXIT.failed : EXIT.done;
}

/** `deputy bundles keygen FILE`: a key of your own; its public half is the result. */
export async function makeKey({ output }: Invocation, file: string): Promise<ExitCode> {
  const { createSigningKey } = await import("@deputy/bundles");
  const { publicText, secretText } = await createSigningKey();
  try {
    writeFileSync(file, `${secretText}\n`, { mode: 0o600, flag: "wx" });
  } catch (cause) {
    throw new AppError("file_unwritable", `${makeVisible(file)} is there already, or cannot be written`, {
      cause,
    });
  }
  output.result(publicText);
  output.note(
    `Who has ${makeVisible(basename(file))} can sign in your name. Keep it to yourself, and a copy of it.`,
  );
  output.object({ type: "key", public: publicText });
  return EXIT.done;
}

/** `deputy bundles sign KIND FILE --key FILE`: the signed form of a manifest or a registry, to stdout. */
export async function signOne(
  { output }: Invocation,
  kind: string,
  file: string,
  options: { readonly key: string },
): Promise<ExitCode> {
  const { readManifest, readRegistryFile, readSigningKey, sha256Of, signDocument } =
    await import("@deputy/bundles");
  if (kind !== "manifest" && kind !== "registry")
    throw new AppError("usage", "What is signed is a manifest or a registry");
  const key = await readSigningKey(read(options.key));
  const draft = JSON.parse(read(file)) as unknown;
  const document = kind === "manifest" ? readManifest(draft, file) : readRegistryFile(draft, file);
  const text = await signDocument(kind, document, key);
  process.stdout.write(text);
  output.note(`sha256 ${await sha256Of(new TextEncoder().encode(text))}`);
  return EXIT.done;
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new AppError("file_unreadable", `${makeVisible(file)} cannot be read`, { cause });
  }
}

function notInstalled(name: string): AppError {
  return new AppError("not_found", `No bundle ${makeVisible(name)} is installed`, {
    hint: "`deputy bundles list` shows what there is.",
  });
}

function reasonOf(error: unknown): string {
  return makeVisible(describeCondition(error) ?? String(error));
}

/** The folders above Deputy's own program: npm packages that somebody installed beside it are in their `node_modules`. */
function installedPackageFolders(): readonly string[] {
  const folders: string[] = [];
  for (let at = dirname(fileURLToPath(import.meta.url)); ; at = dirname(at)) {
    folders.push(at);
    if (dirname(at) === at) return folders;
  }
}
