import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** What most pages for assistants show answers with. It is installed for the benchmark alone, beside all packages. */
const PACKAGES = {
  react: "19.3.1",
  "react-dom": "19.3.1",
  "react-markdown": "10.1.0",
  "remark-gfm": "4.0.1",
};
const FOLDER = fileURLToPath(new URL("../../node_modules/.cache/bench-web-peer/", import.meta.url));

/** Gives `drawPeer(place, text)` to the page that runs it. */
const SOURCE = `
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { flushSync } from "react-dom";
import Markdown from "react-markdown";
import gfm from "remark-gfm";
const roots = new WeakMap();
globalThis.drawPeer = (place, text) => {
  if (!roots.has(place)) roots.set(place, createRoot(place));
  flushSync(() => roots.get(place).render(createElement(Markdown, { remarkPlugins: [gfm] }, text)));
};
`;

/** The peer as one script, or why there is none. */
export async function peerScript(): Promise<{ readonly script: string } | { readonly missing: string }> {
  try {
    if (!existsSync(join(FOLDER, "node_modules", "react-markdown"))) {
      mkdirSync(FOLDER, { recursive: true });
      writeFileSync(join(FOLDER, "package.json"), JSON.stringify({ private: true, dependencies: PACKAGES }));
      const install = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-workspaces"];
      execFileSync("npm", install, { cwd: FOLDER, stdio: "ignore" });
    }
    const { outputFiles } = await build({
      stdin: { contents: SOURCE, resolveDir: FOLDER },
      bundle: true,
      minify: true,
      write: false,
      format: "iife",
      define: { "process.env.NODE_ENV": '"production"' },
    });
    return { script: outputFiles[0]?.text ?? "" };
  } catch (error) {
    return { missing: error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : String(error) };
  }
}
