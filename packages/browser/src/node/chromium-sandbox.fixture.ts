// Opens a page in a browser with its sandbox on, and prints what runs: for a test that must do it as somebody else.
import { readFileSync } from "node:fs";
import { openBrowserTools, servePages } from "./browser.fixture.ts";
import { processesBelow } from "./processes.fixture.ts";
import { lockedBy, openProfile } from "./profile-directory.ts";

await using server = await servePages({ "/": "<title>Shut in</title>" });
await using world = await openBrowserTools({ directory: process.argv[2] ?? "", sandbox: "on" });
await world.open(`${server.site}/`);
const browser = (await lockedBy(await openProfile(world.directory, "session"))) ?? 0;
const renderers = processesBelow(browser).filter(({ command }) => command.includes("--type=renderer"));
const seccompOf = (pid: number): string =>
  /^Seccomp:\s*(?<mode>\d)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.groups?.["mode"] ?? "";
process.stdout.write(
  JSON.stringify({
    uid: process.getuid?.(),
    command: readFileSync(`/proc/${browser}/cmdline`, "utf8").split("\0"),
    environment: readFileSync(`/proc/${browser}/environ`, "utf8").split("\0"),
    seccomp: renderers.map(({ pid }) => seccompOf(pid)),
  }),
);
