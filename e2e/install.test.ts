import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./repository.ts";
import { scratchDirectory } from "./run-deputy.ts";

/** A package like ours, without what has to be fetched: that ours installs is seen in package.test.ts. */
function packSmall(folder: string): string {
  mkdirSync(folder);
  const manifest = { name: "@deputy/deputy", version: "9.8.7", bin: { deputy: "deputy.js" } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(folder, "deputy.js"), '#!/usr/bin/env node\nconsole.log("9.8.7");\n', { mode: 0o755 });
  execFileSync("npm", ["pack", "--silent"], { cwd: folder });
  return join(folder, "deputy-deputy-9.8.7.tgz");
}

test("[E490] one line installs a tarball under the user's own folder, again as well, and says what is missing", () => {
  using scratch = scratchDirectory();
  const tarball = packSmall(join(scratch.path, "package"));
  const npm = dirname(execFileSync("sh", ["-c", "command -v npm"], { encoding: "utf8" }).trim());
  const install = (home: string, { node = dirname(process.execPath), file = tarball } = {}) => {
    mkdirSync(home, { recursive: true });
    const env = { PATH: [node, npm, "/usr/bin", "/bin"].join(delimiter), HOME: home };
    return spawnSync("sh", [join(ROOT, "install.sh"), file], { cwd: home, encoding: "utf8", env });
  };
  const home = join(scratch.path, "user");
  for (const time of ["first", "again"]) {
    const { status, stdout, stderr } = install(home);
    expect({ time, status, stderr }).toEqual({ time, status: 0, stderr: "" });
    expect(stdout).toBe(
      `Deputy 9.8.7 is installed: ${home}/.local/bin/deputy\nAdd it to your PATH: export PATH="${home}/.local/bin:$PATH"\n`,
    );
  }
  // Nothing but the program: the home begins with its first use.
  expect(existsSync(join(home, ".deputy"))).toBe(false);
  expect(install(home, { file: "none.tgz" })).toMatchObject({
    status: 1,
    stderr: "install.sh: there is no file none.tgz\n",
  });
  // A Node that is too old is told before anything is written.
  const old = join(scratch.path, "old-node");
  mkdirSync(old);
  const script = "#!/bin/sh\ncase $1 in -p) echo 20 ;; -v) echo v20.0.0 ;; esac\n";
  writeFileSync(join(old, "node"), script, { mode: 0o755 });
  const late = join(scratch.path, "late");
  expect(install(late, { node: old })).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("Node v20.0.0 is too old"),
  });
  expect(existsSync(join(late, ".local"))).toBe(false);
});
