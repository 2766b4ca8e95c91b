import { execFile } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire, registerHooks } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

/** Peers that are not dependencies; installed on first use. */
const PEERS = { "quickjs-emscripten": "0.32.0", "@cloudflare/codemode": "0.5.6" } as const;
export type PeerName = keyof typeof PEERS;

const INSTALL_MS = 120_000;
const cache = fileURLToPath(new URL("../../node_modules/.cache/bench-peers/", import.meta.url));

/** How a peer is called in a report. */
export function peerLabel(name: PeerName): string {
  return `${name} ${PEERS[name]}`;
}

/** A peer's module; undefined, with a message, if it is not available. */
export async function loadPeer(name: PeerName): Promise<unknown> {
  try {
    const entry = await installed(name);
    return await withWorkersRuntime(() => import(pathToFileURL(entry).href));
  } catch (error) {
    const why = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    console.log(`skipped: peer ${peerLabel(name)} not available (${why})`);
    return undefined;
  }
}

async function installed(name: PeerName): Promise<string> {
  const directory = join(cache, `${name.replace("/", "+")}@${PEERS[name]}`);
  const manifest = join(directory, "package.json");
  if (!existsSync(join(directory, "node_modules", name))) {
    mkdirSync(directory, { recursive: true });
    writeFileSync(manifest, JSON.stringify({ private: true }));
    const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"];
    // Its own peer dependencies are model SDKs, which are not used here.
    const args = ["install", ...quiet, "--legacy-peer-deps", `${name}@${PEERS[name]}`];
    await promisify(execFile)("npm", args, { cwd: directory, timeout: INSTALL_MS });
  }
  return createRequire(manifest).resolve(name);
}

/** Replaces the runtime of Cloudflare's workers, which the module also imports. */
async function withWorkersRuntime<T>(work: () => Promise<T>): Promise<T> {
  const names = ["DurableObject", "RpcTarget", "WorkerEntrypoint"];
  const source = names.map((name) => `export class ${name} {}`).join("\n");
  const url = `data:text/javascript,${encodeURIComponent(source)}`;
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === "cloudflare:workers"
        ? { url, format: "module", shortCircuit: true }
        : next(specifier, context),
  });
  try {
    return await work();
  } finally {
    hooks.deregister();
  }
}
