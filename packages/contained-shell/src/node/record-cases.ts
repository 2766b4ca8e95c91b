// node packages/contained-shell/src/node/record-cases.ts: runs every script with bash and the tools that are installed,
// which must be GNU's, and keeps what they wrote.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startFiles, toolScripts } from "../cases/tool-scripts.fixture.ts";

if (!execFileSync("ls", ["--version"], { encoding: "utf8" }).includes("GNU coreutils"))
  throw new Error("Cases are recorded from GNU's tools, and these are others.");
const recorded = Object.fromEntries(
  Object.entries(toolScripts).map(([tool, scripts]) => [
    tool,
    scripts.map((script) => {
      const folder = mkdtempSync(join(tmpdir(), "cases-"));
      for (const [name, text] of Object.entries(startFiles)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true, mode: 0o755 });
        writeFileSync(join(folder, name), text, { mode: 0o644 });
      }
      const env = { PATH: "/usr/bin:/bin", LC_ALL: "C.UTF-8", TZ: "UTC", HOME: "/home/user" };
      const done = spawnSync("bash", ["-c", `umask 022; ${script}`], { cwd: folder, env, input: "" });
      rmSync(folder, { recursive: true });
      return {
        script,
        out: done.stdout.toString(),
        err: done.stderr.toString().replace(/^bash: line 1: /gm, "bash: "),
      };
    }),
  ]),
);
writeFileSync(new URL("../cases/recorded.json", import.meta.url), `${JSON.stringify(recorded, null, 1)}\n`);
