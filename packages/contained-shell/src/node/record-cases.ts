// node packages/contained-shell/src/node/record-cases.ts: runs every script of src/cases/recorded.json again, with bash and
// the tools that are installed, which must be GNU's, and keeps what they wrote. A new case needs its script alone.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startFiles } from "../cases/start-files.fixture.ts";

if (!execFileSync("ls", ["--version"], { encoding: "utf8" }).includes("GNU coreutils"))
  throw new Error("Cases are recorded from GNU's tools, and these are others.");
const hasGawk = spawnSync("bash", ["-c", "awk --version"], { encoding: "utf8" }).stdout.includes("GNU Awk");
const place = new URL("../cases/recorded.json", import.meta.url);
const cases = JSON.parse(readFileSync(place, "utf8")) as Record<
  string,
  readonly { readonly script: string }[]
>;
const recorded = Object.fromEntries(
  Object.entries(cases).map(([tool, scripts]) => [
    tool,
    // Another awk would say something else.
    scripts.map(({ script, ...before }) => {
      if (tool === "awk" && !hasGawk) return { script, ...before };
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
writeFileSync(place, `${JSON.stringify(recorded, null, 2)}\n`);
