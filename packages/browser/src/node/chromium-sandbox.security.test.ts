import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { noBrowser, openBrowserTools, servePages } from "./browser.fixture.ts";
import { lockedBy, openProfile } from "./profile-directory.ts";

const NOBODY = "65534";
const SETPRIV = "/usr/bin/setpriv";
const SCRIPT = fileURLToPath(new URL("chromium-sandbox.fixture.ts", import.meta.url));
const isRoot = process.getuid?.() === 0;
/** Root must be able to become somebody else, and what runs must be readable for them. */
const cannotBeOther = process.platform !== "linux" || (isRoot && !existsSync(SETPRIV));
const OURS = { ANTHROPIC_API_KEY: "sk-secret", DEPUTY_TOKEN: "secret", CHROMIUM_FLAGS: "--no-sandbox" };

interface Seen {
  readonly uid: number;
  readonly command: readonly string[];
  readonly environment: readonly string[];
  readonly seccomp: readonly string[];
}

function scratch() {
  const path = mkdtempSync(join(tmpdir(), "deputy-shut-in-"));
  chmodSync(path, 0o777);
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** A browser of an ordinary user: of whoever runs the tests, or of nobody where that is root. */
async function openAsOrdinaryUser(directory: string): Promise<Seen> {
  const run = [process.execPath, SCRIPT, join(directory, "profiles")];
  const become = ["--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"];
  const [program = "", ...args] = isRoot ? [SETPRIV, ...become, ...run] : run;
  const env = { PATH: process.env["PATH"], HOME: directory, TMPDIR: directory, ...OURS };
  const { stdout } = await promisify(execFile)(program, args, { env, cwd: directory });
  return JSON.parse(stdout) as Seen;
}

describe.skipIf(noBrowser || cannotBeOther)("Chromium's own sandbox", () => {
  test("[BR13] is on for an ordinary user, and the environment has no key of Deputy's", async () => {
    using folder = scratch();
    const { uid, command, environment, seccomp } = await openAsOrdinaryUser(folder.path);
    expect(uid).not.toBe(0);
    expect(command.filter((one) => /no-sandbox|disable-setuid|ignore-certificate/.test(one))).toEqual([]);
    expect(command).toContain("--proxy-bypass-list=<-loopback>");
    // 2 is a filter: what a page's process may ask of the system is limited.
    expect(seccomp.length).toBeGreaterThan(0);
    expect(new Set(seccomp)).toEqual(new Set(["2"]));
    for (const [name, value] of Object.entries(OURS)) {
      expect(environment, name).not.toContain(`${name}=${value}`);
    }
    expect(environment).toContain(`HOME=${folder.path}`);
  });

  test.skipIf(!isRoot)("[BR13] is off for root, for whom Chromium does not start with it", async () => {
    await using server = await servePages({ "/": "<title>Root's</title>" });
    {
      await using world = await openBrowserTools({ sandbox: "on" });
      await world.call("allowSite", { site: server.site });
      await expect(world.call("navigate", { url: `${server.site}/` })).rejects.toMatchObject({
        code: "browser_failed",
      });
    }
    await using world = await openBrowserTools({ sandbox: "off" });
    await world.open(`${server.site}/`);
    const browser = (await lockedBy(await openProfile(world.directory, "session"))) ?? 0;
    expect(readFileSync(`/proc/${browser}/cmdline`, "utf8").split("\0")).toContain("--no-sandbox");
  });
});
