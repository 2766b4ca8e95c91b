import { accessSync, constants, statfsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { CodedError } from "@deputy/kit";
import { advise, type Finding, ok, wrong } from "./finding.ts";
import { nearestExisting } from "./nearest-existing.ts";

const NEEDED_NODE = 24;
const LITTLE_BYTES = 200e6;
const SCARCE_BYTES = 1e9;

export function checkNode(version: string): Finding {
  if (Number(version.split(".")[0]) >= NEEDED_NODE) return ok("node", `Node ${version}`);
  return wrong(
    "node",
    `This is Node ${version}; Deputy needs ${NEEDED_NODE}.`,
    `Install Node ${NEEDED_NODE} or newer.`,
  );
}

/** Checks the disk that the home is on, or will be on. */
export function checkDisk(home: string): Finding {
  const { bavail, bsize } = statfsSync(nearestExisting(home));
  const free = bavail * bsize;
  const said = `${(free / 1e9).toFixed(1)} GB free`;
  const fix = "Make room, or move the home with --home or DEPUTY_HOME.";
  if (free === 0)
    return wrong("disk", "It is full: nothing can be written. What was acknowledged is safe.", fix);
  if (free < LITTLE_BYTES) return wrong("disk", `Only ${said}.`, fix);
  return free < SCARCE_BYTES ? advise("disk", `Only ${said}.`, fix) : ok("disk", said);
}

/** Checks whether host commands can run in a sandbox, which only Linux has. */
export async function checkBubblewrap(
  sandbox: "auto" | "bubblewrap" | "none",
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): Promise<Finding> {
  if (sandbox === "none") return ok("bubblewrap", "Not used: tools.bash.sandbox is none.");
  if (platform !== "linux")
    return ok(
      "bubblewrap",
      "This system has no bubblewrap; commands run with your rights, and every question says so.",
    );
  const say = sandbox === "bubblewrap" ? wrong : advise;
  const found = findProgram("bwrap", env);
  if (found === undefined)
    return say(
      "bubblewrap",
      "It is not installed: commands have your rights.",
      "Install the package bubblewrap.",
    );
  const isRoot = process.getuid?.() === 0;
  const { probeBubblewrap } = await import("@deputy/builtins/node");
  const why = probeBubblewrap({
    program: found,
    network: "none",
    readable: [],
    writable: [],
    hidden: [],
    isRoot,
  });
  if (why === undefined)
    return ok("bubblewrap", `Commands run in bubblewrap${isRoot ? ", as the user nobody" : ""}.`);
  return say(
    "bubblewrap",
    `It is installed, but does not work (${why}): commands have your rights.`,
    isRoot
      ? "Allow this container to make namespaces (CAP_SYS_ADMIN), install setpriv of util-linux, or run Deputy as a user of its own."
      : "Allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1, or an AppArmor profile for bwrap).",
  );
}

/** The browser that agents would use, and whether a page that breaks it would still be contained. */
export async function checkBrowser(
  { path, sandbox }: { readonly path?: string | undefined; readonly sandbox: boolean },
  machine: {
    readonly env: NodeJS.ProcessEnv;
    readonly platform: NodeJS.Platform;
    readonly user: "root" | "ordinary";
  },
): Promise<Finding> {
  const { env, platform, user } = machine;
  const { findBrowser } = await import("@deputy/browser/node");
  let program: string;
  try {
    program = await findBrowser({ configured: path, platform, env });
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    const say = path === undefined ? advise : wrong;
    return say("browser", `${error.message}.`, error.hint ?? "Name another, or none.");
  }
  if (user === "root")
    return advise(
      "browser",
      `${program}, without its own sandbox, which does not work for root: a page that breaks it has root's rights.`,
      "Run Deputy as an ordinary user.",
    );
  if (!sandbox)
    return advise(
      "browser",
      `${program}, without its own sandbox: tools.browser.sandbox is false. A page that breaks it has your rights.`,
      "deputy config set tools.browser.sandbox true, if the browser starts with it.",
    );
  return ok("browser", `${program}, in its own sandbox`);
}

function findProgram(name: string, { PATH = "" }: NodeJS.ProcessEnv): string | undefined {
  return PATH.split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
