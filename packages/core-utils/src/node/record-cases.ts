// node packages/core-utils/src/node/record-cases.ts: runs every case with the tools that are installed, which must be
// GNU's, and keeps what they wrote. Units of the recorded texts are bytes.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { caseFiles } from "../cases/files.fixture.ts";
import { generateCases } from "../cases/generate-cases.fixture.ts";

if (!execFileSync("sort", ["--version"], { encoding: "utf8" }).includes("GNU coreutils"))
  throw new Error("Cases are recorded from GNU's tools, and these are others.");
const folder = mkdtempSync(join(tmpdir(), "cases-"));
for (const [name, bytes] of Object.entries(caseFiles)) {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), bytes, "latin1");
}
const recorded = generateCases(caseFiles).map(({ argv, stdin }) => {
  const [tool = "", ...args] = argv;
  const done = spawnSync(tool, args, {
    cwd: folder,
    input: Buffer.from(stdin ?? "", "latin1"),
    env: { ...process.env, LC_ALL: "C.UTF-8" },
  });
  for (const made of ["out.txt", "out.txt.rej"]) rmSync(join(folder, made), { force: true });
  return [argv, stdin ?? "", done.stdout.toString("latin1"), done.stderr.toString("latin1"), done.status];
});
rmSync(folder, { recursive: true });
writeFileSync(
  new URL("../cases/recorded.json", import.meta.url),
  `[\n${recorded.map((one) => JSON.stringify(one)).join(",\n")}\n]\n`,
);
process.stdout.write(`${String(recorded.length)} cases recorded\n`);
