import { chmod, copyFile, cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Metafile } from "esbuild";
import { buildPage } from "../../web/build/build-page.ts";
import { copyModel, MODEL_NOTICES } from "./copy-model.ts";
import { bundledPackages, packagesOf, thirdPartyNotices } from "./third-party-notices.ts";
import { workflowStubs } from "./workflow-stubs.ts";

const app = fileURLToPath(new URL("..", import.meta.url));
const root = join(app, "..", "..");

/** Loaded from node_modules at run time: native or wasm files, and what finds files of its own beside it. */
const EXTERNAL = ["typescript", "typescript/*", "quickjs-wasi", "quickjs-wasi/*", "playwright-core"];

const NOTICES = "THIRD-PARTY-NOTICES.txt";

/** Where the declarations of what the package exports lie, and what they are made from. */
export const DECLARATIONS = "dist/types";
export const DECLARED = {
  sdk: join(app, "src/sdk/index.ts"),
  tools: join(root, "packages/tools/src/plugin-api.ts"),
  plugins: join(root, "packages/plugins/src/index.ts"),
};

/**
 * Writes the installable package into `folder`, but for its declarations: one flat, tree-shaken bundle, the page ready to serve,
 * and a manifest that depends only on what cannot be bundled. `npm pack` makes the tarball of it.
 * Tests put programs of their own beside it: `programs` are their entry points by name.
 */
export async function writePackage(
  folder: string,
  programs: Readonly<Record<string, string>> = {},
): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, "bin"), { recursive: true });
  const { metafile } = await build({
    absWorkingDir: root,
    metafile: true,
    entryPoints: {
      main: join(app, "src/main.ts"),
      sdk: DECLARED.sdk,
      "sandbox-worker": join(root, "packages/codemode/src/node/sandbox-worker.ts"),
      "minilm-process": join(root, "packages/embedder/src/node/minilm-process.ts"),
      "traces-process": join(app, "src/memory/traces-process.ts"),
      "shell-worker": join(root, "packages/contained-shell/src/node/shell-worker.ts"),
      "shell-process": join(root, "packages/contained-shell/src/node/shell-process.ts"),
      "memory-worker": join(root, "packages/memory/src/node/memory-worker.ts"),
      "plugin-host": join(root, "packages/tools/src/node/plugins/host-main.ts"),
      // A plugin's `@deputy/tools` and `zod` are these, so that it shares them with its host.
      "plugin-tools": DECLARED.tools,
      plugins: DECLARED.plugins,
      "plugin-github": join(root, "packages/plugins/src/github.ts"),
      "plugin-posthog": join(root, "packages/plugins/src/posthog.ts"),
      "plugin-zod": fileURLToPath(import.meta.resolve("zod")),
      ...programs,
    },
    outdir: join(folder, "dist"),
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node24",
    external: EXTERNAL,
    // A fifth less to install and to keep in memory. Names stay, for stacks; lines stay short, since Node prints the one
    // in which an error was thrown.
    minifyWhitespace: true,
    lineLimit: 120,
    // React has a second, larger self for those who develop with it.
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [workflowStubs],
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
    // All of them are in THIRD-PARTY-NOTICES.txt.
    legalComments: "none",
    logLevel: "warning",
  });
  refuseBareCommonJs(metafile);
  const page = await buildPage(join(folder, "dist", "web"));
  await copyModel(join(folder, "dist", "minilm"));
  await copyFile(
    join(root, "packages/core-utils/src/core-utils.wasm"),
    join(folder, "dist", "core-utils.wasm"),
  );
  await cp(join(root, "packages/bundles/registry"), join(folder, "dist", "bundles"), { recursive: true });
  await copyFile(join(app, "bin/deputy.mjs"), join(folder, "bin/deputy.mjs"));
  await chmod(join(folder, "bin/deputy.mjs"), 0o755);
  for (const name of ["LICENSE", "README.md"]) await copyFile(join(root, name), join(folder, name));
  await writeFile(
    join(folder, NOTICES),
    await thirdPartyNotices(
      root,
      [...bundledPackages(metafile), ...packagesOf(root, page.modules)],
      MODEL_NOTICES,
    ),
  );
  await writeFile(join(folder, "package.json"), `${JSON.stringify(await manifest(), null, 2)}\n`);
}

/** A CommonJS package that is imported at run time would have lost its named exports: it needs a module around it. */
function refuseBareCommonJs({ outputs }: Metafile): void {
  for (const { entryPoint, exports } of Object.values(outputs))
    if (entryPoint?.startsWith("node_modules/") && exports.join() === "default")
      throw new Error(`${entryPoint} is imported at run time, and the bundle has only its default export`);
}

async function manifest(): Promise<unknown> {
  const { version, license, description } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const pick = async (owner: string, name: string): Promise<string> =>
    JSON.parse(await readFile(join(root, "packages", owner, "package.json"), "utf8")).dependencies[name];
  return {
    name: "@deputy/deputy",
    version,
    description,
    license,
    type: "module",
    bin: { deputy: "bin/deputy.mjs" },
    exports: {
      "./sdk": { types: "./dist/types/sdk.d.ts", default: "./dist/sdk.js" },
      "./tools": { types: "./dist/types/tools.d.ts", default: "./dist/plugin-tools.js" },
      "./plugins": { types: "./dist/types/plugins.d.ts", default: "./dist/plugins.js" },
      "./package.json": "./package.json",
    },
    engines: { node: ">=24" },
    files: ["bin", "dist", NOTICES],
    dependencies: {
      typescript: await pick("codemode", "typescript"),
      "quickjs-wasi": await pick("codemode", "quickjs-wasi"),
      "playwright-core": await pick("browser", "playwright-core"),
    },
    // Who writes tools has it, and our declarations mean the same one; who runs Deputy does without its 9 MB.
    peerDependencies: { zod: "^4.1.0" },
    peerDependenciesMeta: { zod: { optional: true } },
  };
}
