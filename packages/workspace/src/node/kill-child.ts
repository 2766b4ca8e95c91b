// Run by kill.test.ts, and killed there: works on a workspace until it is done or killed.
import { readFileSync } from "node:fs";
import { openLocalWorkspace } from "./open-local-workspace.ts";

const [directory = "", home = "", root = "", what = ""] = process.argv.slice(2);
const live = new AbortController().signal;
const workspace = openLocalWorkspace({ directory, apart: [home], now: Date.now });
process.stdout.write("ready\n");
readFileSync(0);
if (what === "import") await workspace.import({ root, uncommitted: "discard" }, live);
if (what === "write")
  for (let n = 0; n < 200; n++) await workspace.write(`file-${n % 10}.txt`, `new ${n}\n`.repeat(2_000), live);
if (what === "commit") {
  const { id } = await workspace.status(live);
  await workspace.commit({ changeSet: id, paths: "all" }, live);
}
process.stdout.write("done\n");
