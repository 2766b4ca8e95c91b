import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { detailScripts } from "../cases/scripts-of-details.fixture.ts";
import { scripts } from "../cases/scripts.fixture.ts";

// `node packages/shell/src/node/record-cases.ts` runs each script in real bash, in an empty folder, and keeps its output.
const recorded = Object.fromEntries(
  Object.entries({ ...scripts, ...detailScripts }).map(([feature, list]) => [
    feature,
    list.map((script) => {
      const folder = mkdtempSync(join(tmpdir(), "shell-case-"));
      const { stdout, status } = spawnSync("bash", [], {
        input: script,
        cwd: folder,
        env: { PATH: "/usr/bin:/bin", HOME: "/home/user", LC_ALL: "C.UTF-8" },
      });
      rmSync(folder, { recursive: true });
      return { script, out: stdout.toString(), status };
    }),
  ]),
);
const lines = Object.entries(recorded).map(
  ([feature, list]) =>
    `${JSON.stringify(feature)}: [\n${list.map((each) => JSON.stringify(each)).join(",\n")}\n]`,
);
writeFileSync(new URL("../cases/recorded.json", import.meta.url), `{\n${lines.join(",\n")}\n}\n`);
