import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { jsonLines, runDeputy, scratchDirectory, startDaemon } from "./run-deputy.ts";

const PROGRAM = readFileSync(new URL("../packages/wasi/src/probe/probe.wasm", import.meta.url));
const hash = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");

/** Files on this machine, and what was asked for. */
async function openServer() {
  const files = new Map<string, Uint8Array | string>();
  const asked: { readonly path: string; readonly cookie: string | undefined }[] = [];
  const server = createServer((request, response) => {
    asked.push({ path: request.url ?? "", cookie: request.headers.authorization ?? request.headers.cookie });
    const file = files.get(request.url ?? "");
    response.writeHead(file === undefined ? 404 : 200).end(file);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    files,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function setup() {
  const scratch = scratchDirectory();
  const home = join(scratch.path, "home");
  mkdirSync(home, { mode: 0o700 });
  const run = (...args: readonly string[]) => runDeputy([...args, "--home", home]);
  return { scratch: scratch.path, home, run, [Symbol.dispose]: () => scratch[Symbol.dispose]() };
}

test("[E290] Deputy's own registry is signed, and Python comes from the package that it pins", async () => {
  using world = setup();
  const offered = await world.run("bundles");
  expect(offered).toMatchObject({ code: 0 });
  expect(offered.stdout).toMatch(/^available {2}lang-python .* \(deputy\)/m);
  const from = fileURLToPath(new URL("../", import.meta.url));
  const added = await world.run("bundles", "add", "lang-python", "--from", from);
  expect(added).toMatchObject({ code: 0 });
  expect(added.stderr).toContain("CPython (Python-2.0)");
  expect(await world.run("sh", "-c", 'python3 -c "print(1+1)"')).toMatchObject({ code: 0, stdout: "2\n" });
  expect((await world.run("bundles", "show", "lang-python")).stdout).toContain(
    "PYTHON SOFTWARE FOUNDATION LICENSE",
  );
  const call = 'return await tools.shell.python({ code: "print(6*7)" });';
  writeFileSync(join(world.scratch, "p.ts"), call);
  expect((await world.run("exec", join(world.scratch, "p.ts"), "--json")).stdout).toContain('"stdout":"42');

  expect(await world.run("bundles", "remove", "lang-python")).toMatchObject({ code: 0 });
  expect(await world.run("sh", "-c", "python3 -V")).toMatchObject({ code: 127 });
  expect((await world.run("exec", join(world.scratch, "p.ts"), "--json")).stdout).toContain("not_available");
});

test("[E290] a registry of one's own, with one's own key: signed, fetched, audited, verified, taken back", async () => {
  using world = setup();
  await using server = await openServer();
  const path = (name: string): string => join(world.scratch, name);
  const key = (await world.run("bundles", "keygen", path("key"))).stdout.trim();
  expect(key).toMatch(/^ed25519:/);
  const licence = "Free.\n";
  const manifest = {
    format: 1,
    name: "probe",
    version: "1.0.0",
    summary: "A probe",
    sources: {},
    files: [
      { name: "LICENCE", sha256: hash(licence), bytes: licence.length, take: { text: licence } },
      {
        name: "probe.wasm",
        sha256: hash(PROGRAM),
        bytes: PROGRAM.length,
        take: { source: "it", path: ["package/probe.wasm"], decode: "none" },
      },
    ],
    commands: [
      {
        names: ["probe"],
        module: "probe.wasm",
        args: [],
        env: {},
        begins: "folder",
        limits: { memoryBytes: 16 * 1024 * 1024 },
      },
    ],
    provides: [],
    licences: [{ of: "probe", spdx: "0BSD", file: "LICENCE" }],
  };
  const archive = tarball("package/probe.wasm", PROGRAM);
  manifest.sources = { it: { from: ["probe.tgz"], sha256: hash(archive), bytes: archive.length } };
  const sign = async (kind: string, what: object): Promise<string> => {
    writeFileSync(path("draft.json"), JSON.stringify(what));
    const signed = await world.run("bundles", "sign", kind, path("draft.json"), "--key", path("key"));
    expect(signed, signed.stderr).toMatchObject({ code: 0 });
    return signed.stdout;
  };
  const signed = await sign("manifest", manifest);
  const publish = async (serial: number, revoked: readonly string[]): Promise<void> => {
    const registry = {
      format: 1,
      name: "mine",
      serial,
      expires: "2099-01-01T00:00:00Z",
      keys: [],
      bundles: [
        {
          name: "probe",
          version: "1.0.0",
          summary: "A probe",
          manifest: "probe.manifest",
          sha256: hash(signed),
        },
      ],
      revoked: { keys: [], manifests: revoked },
    };
    server.files.set("/mine.registry", await sign("registry", registry));
  };
  await publish(1, []);
  server.files.set("/probe.manifest", signed);
  server.files.set("/probe.tgz", archive);
  const settings = { bundles: { registries: { mine: { at: `${server.url}/mine.registry`, keys: [key] } } } };
  writeFileSync(join(world.home, "config.json"), JSON.stringify(settings));

  const added = await world.run("bundles", "add", "mine/probe");
  expect(added, added.stderr).toMatchObject({ code: 0, stdout: "Installed probe 1.0.0 from mine: probe\n" });
  expect(server.asked).toEqual(
    ["/mine.registry", "/probe.manifest", "/probe.tgz"].map((asked) => ({ path: asked, cookie: undefined })),
  );
  const logged = jsonLines((await world.run("audit", "show", "--json", "--type", "net.request")).stdout);
  expect(logged.map(({ data }) => data)).toMatchObject(
    server.asked.map(() => ({ method: "GET", verdict: "allow", status: 200 })),
  );
  expect(await world.run("bundles", "verify")).toMatchObject({ code: 0 });

  const file = join(world.home, "bundles/files", hash(PROGRAM));
  const bytes = readFileSync(file);
  bytes[100] = (bytes[100] ?? 0) ^ 1;
  writeFileSync(file, bytes);
  expect(await world.run("bundles", "verify")).toMatchObject({ code: 1 });
  const refused = await world.run("sh", "-c", "probe");
  expect(refused).toMatchObject({ code: 126 });
  expect(refused.stderr).toContain("was changed after it was signed");
  expect(await world.run("bundles", "add", "probe")).toMatchObject({ code: 0 });
  expect(await world.run("bundles", "verify")).toMatchObject({ code: 0 });

  // E874: beside a daemon, it asks.
  expect(await world.run("bundles", "remove", "probe")).toMatchObject({ code: 0 });
  {
    await using _daemon = await startDaemon(world.home, [], {});
    const before = server.asked.length;
    const again = await world.run("bundles", "add", "mine/probe");
    expect(again, again.stderr).toMatchObject({ code: 0 });
    expect(server.asked.slice(before).map(({ path: asked }) => asked)).toEqual([
      "/mine.registry",
      "/probe.manifest",
      "/probe.tgz",
    ]);
    const noted = jsonLines((await world.run("audit", "show", "--json", "--type", "net.request")).stdout);
    expect(noted.length).toBe(server.asked.length);
    await publish(2, [hash(signed)]);
    expect(await world.run("bundles", "update")).toMatchObject({ code: 0 });
  }
  const gone = await world.run("sh", "-c", "probe");
  expect(gone).toMatchObject({ code: 127 });
  expect(gone.stderr).toContain("bundle_revoked");
  expect((await world.run("bundles")).stdout).toContain("REFUSED");
});

test("[E291] curl asks only hosts of the settings, and each request is in the log", async () => {
  using world = setup();
  await using server = await openServer();
  server.files.set("/hello", "hello\n");
  expect(await world.run("sh", "-c", `curl ${server.url}/hello`)).toMatchObject({ code: 7, stdout: "" });
  expect(server.asked).toEqual([]);
  const settings = { tools: { shell: { hosts: [server.url] } } };
  writeFileSync(join(world.home, "config.json"), JSON.stringify(settings));
  expect(await world.run("sh", "-c", `curl -s ${server.url}/hello | tr a-z A-Z`)).toMatchObject({
    stdout: "HELLO\n",
  });
  const other = server.url.replace("127.0.0.1", "localhost");
  expect(await world.run("sh", "-c", `curl ${other}/hello`)).toMatchObject({ code: 7 });
  const call = `return (await tools.shell.run({ script: "curl -s ${server.url}/hello" })).stdout;`;
  writeFileSync(join(world.scratch, "p.ts"), call);
  expect((await world.run("exec", join(world.scratch, "p.ts"), "--json")).stdout).toContain("hello");
  expect(server.asked.map(({ path, cookie }) => [path, cookie])).toEqual([
    ["/hello", undefined],
    ["/hello", undefined],
  ]);
  const logged = jsonLines((await world.run("audit", "show", "--json", "--type", "net.request")).stdout);
  expect(logged.map(({ data }) => (data as { verdict: string }).verdict)).toEqual(["allow", "deny", "allow"]);
});

test("[E292] git keeps the history of the workspace in the home, and a script that a limit ended adds nothing", async () => {
  using world = setup();
  const folder = join(world.scratch, "notes");
  mkdirSync(folder);
  writeFileSync(join(folder, "a.txt"), "one\n");
  const first = await world.run("sh", "--import", folder, "-c", "git add . && git commit -qm first");
  expect(first, first.stderr).toMatchObject({ code: 0 });
  const call = `
    await tools.shell.run({ script: "echo two >> a.txt; git commit -qam second" });
    await tools.shell.run({ script: "git commit -q --allow-empty -m third; while :; do :; done", limits: { wallMs: 3000 } });
  `;
  writeFileSync(join(world.scratch, "p.ts"), call);
  expect(await world.run("exec", join(world.scratch, "p.ts"), "--json")).toMatchObject({ code: 0 });
  const log = await world.run("sh", "-c", "git log --oneline | cut -d ' ' -f 2; git status -s; ls -a");
  expect(log.stdout).toBe("second\nfirst\n.\n..\na.txt\n");
});

test("[E874] beside a daemon, curl of `deputy sh` asks through it: its hosts, its refusals, its log", async () => {
  using world = setup();
  await using server = await openServer();
  server.files.set("/hello", "hello\n");
  server.files.set("/large", new Uint8Array(3_000_000).fill(120));
  writeFileSync(
    join(world.home, "config.json"),
    JSON.stringify({ tools: { shell: { hosts: [server.url] } } }),
  );
  await using _daemon = await startDaemon(world.home, [], {});
  expect(await world.run("sh", "-c", `curl -s ${server.url}/hello`)).toMatchObject({
    code: 0,
    stdout: "hello\n",
  });
  expect((await world.run("sh", "-c", `curl -s ${server.url}/large | wc -c`)).stdout).toBe("3000000\n");
  const posted = `curl -s -X POST -d 'a=b' -o out -w '%{http_code}' ${server.url}/none && cat out`;
  expect((await world.run("sh", "-c", posted)).stdout).toBe("404");
  const other = server.url.replace("127.0.0.1", "localhost");
  expect(await world.run("sh", "-c", `curl ${other}/hello`)).toMatchObject({ code: 7 });
  const logged = jsonLines((await world.run("audit", "show", "--json", "--type", "net.request")).stdout);
  expect(logged.map(({ data }) => (data as { verdict: string }).verdict)).toEqual([
    "allow",
    "allow",
    "allow",
    "deny",
  ]);
});

function tarball(name: string, bytes: Uint8Array): Buffer {
  const header = Buffer.alloc(512);
  header.write(name);
  header.write(`${bytes.length.toString(8).padStart(11, "0")}\0`, 124);
  header.write("0", 156);
  return gzipSync(Buffer.concat([header, bytes, Buffer.alloc(1536 - (bytes.length % 512))]));
}
