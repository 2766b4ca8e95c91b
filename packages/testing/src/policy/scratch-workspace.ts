import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A real directory to work in, with traps in it, and a real one outside that must never be touched. */
export interface ScratchWorkspace extends Disposable {
  readonly workspace: string;
  readonly outside: string;
  /** What the outside's secret file holds. */
  readonly secret: string;
  /** Everything outside, with contents; equal texts mean that nothing was changed there. */
  readonly outsideState: () => string;
  /** Restores the initial workspace. */
  readonly reset: () => void;
}

const SECRET = "canary-7f3a91";

export function createScratchWorkspace(): ScratchWorkspace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "deputy-workspace-")));
  const workspace = join(root, "ws");
  const outside = join(root, "out");
  mkdirSync(join(workspace, "sub"), { recursive: true });
  mkdirSync(join(outside, "repo"), { recursive: true });
  const files: Readonly<Record<string, string>> = {
    "ws/a.txt": "hello\nworld 3\n",
    "ws/sub/b.txt": "bee\n",
    "ws/sub/old.txt": "old\n",
    "ws/ls": `#!/bin/sh\ntouch ${outside}/pwned\n`,
    "ws/evil.sh": `#!/bin/sh\ntouch ${outside}/pwned\n`,
    "ws/evil.sed": `1e touch ${outside}/pwned\n`,
    "ws/evil.mk": `all:\n\ttouch ${outside}/pwned\n`,
    "ws/evil.js": `require("fs").writeFileSync("${outside}/pwned", "")\n`,
    "ws/package.json": `{"scripts":{"evil":"touch ${outside}/pwned"}}\n`,
    "out/secret.txt": `${SECRET}\n`,
    "out/victim": "alive\n",
    "out/repo/secret.txt": `${SECRET}\n`,
  };
  for (const [path, text] of Object.entries(files))
    writeFileSync(join(root, path), text, { mode: text.startsWith("#!") ? 0o755 : 0o644 });
  symlinkSync(join(outside, "secret.txt"), join(workspace, "link.txt"));
  symlinkSync(outside, join(workspace, "linkdir"));
  symlinkSync("..", join(workspace, "sub", "up"));
  makeRepository(workspace, "a.txt");
  makeRepository(join(outside, "repo"), "secret.txt");
  const pristine = join(root, "pristine");
  cpSync(workspace, pristine, { recursive: true, verbatimSymlinks: true });
  return {
    workspace,
    outside,
    reset: () => {
      rmSync(workspace, { recursive: true, force: true });
      cpSync(pristine, workspace, { recursive: true, verbatimSymlinks: true });
    },
    secret: SECRET,
    outsideState: () => describe(outside),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

function makeRepository(directory: string, file: string): void {
  const git = (...args: readonly string[]): void =>
    void execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      cwd: directory,
      stdio: "ignore",
    });
  git("init");
  git("add", file);
  git("commit", "-m", "first");
}

function describe(directory: string): string {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const path = join(directory, name);
      const { mode } = statSync(path);
      return `${name} ${mode} ${statSync(path).isFile() ? readFileSync(path, "base64") : ""}`;
    })
    .join("\n");
}
