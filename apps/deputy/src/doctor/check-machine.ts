import { accessSync, constants, statfsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { CodedError } from "@deputy/kit";
import type { Home } from "../home.ts";
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

/** Checks what commands of the machine run in, by trying it, and says what they can reach. */
export async function checkSandbox(
  home: Pick<Home, "directory" | "config">,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): Promise<Finding> {
  const chosen = home.config.tools.bash.sandbox;
  const { openCommandPlace } = await import("../builtins/command-place.ts");
  const program = findProgram("bwrap", env);
  const isRoot = process.getuid?.() === 0;
  let place;
  try {
    place = await openCommandPlace(home, program, "look");
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    const fix = chosen === "bubblewrap" || chosen === "auto" ? mendBubblewrap(program, isRoot) : undefined;
    return wrong("sandbox", `${error.message}.`, fix ?? error.hint ?? "Look at tools.bash.sandbox.");
  }
  const { name, reach } = place;
  if (name !== "none") return ok("sandbox", `Commands run in ${name}. ${reach}`);
  if (chosen === "none") return ok("sandbox", `Not used: tools.bash.sandbox is none. ${reach}`);
  if (platform !== "linux")
    return ok(
      "sandbox",
      "This system has no bubblewrap; commands run with your rights, and every question says so.",
    );
  return advise("sandbox", reach, mendBubblewrap(program, isRoot));
}

function mendBubblewrap(program: string | undefined, isRoot: boolean): string {
  if (program === undefined) return "Install the package bubblewrap.";
  return isRoot
    ? "Allow this container to make namespaces (CAP_SYS_ADMIN), install setpriv of util-linux, or run Deputy as a user of its own."
    : "Allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1, or an AppArmor profile for bwrap).";
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
