import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, createSystemClock } from "@deputy/kit";
import { describe, expect, test } from "vitest";
import { noBrowser, openBrowserTools, servePages } from "./browser.fixture.ts";
import { findBrowser } from "./find-browser.ts";
import { lockedBy, openProfile, pruneProfiles } from "./profile-directory.ts";

/** Says whether it has cookies, and sets one. */
const COOKIES = {
  "/": `<script>document.title = document.cookie || "none"; document.cookie = "seen=1; max-age=1000"</script>`,
};

function scratch() {
  const path = mkdtempSync(join(tmpdir(), "deputy-profiles-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

test("[BR1] the browser is the one of the settings, or else one that is installed; none is a clear error", async () => {
  const env = { PATH: "/nowhere" };
  const here = { platform: "linux", env } as const;
  expect(await findBrowser({ ...here, configured: process.execPath })).toBe(process.execPath);
  await expect(findBrowser({ ...here, configured: "/nowhere/chrome" })).rejects.toMatchObject({
    code: "browser_not_found",
    message: "tools.browser.path names no program: /nowhere/chrome",
  });
  await expect(findBrowser({ platform: "win32", env: {} })).rejects.toMatchObject({
    code: "browser_not_found",
    hint: "Install one, or name its program in tools.browser.path.",
  });
});

test("[BR9] profiles that are old or too many are removed, never one that is in use", async () => {
  using root = scratch();
  const kept = await openProfile(root.path, "../../in use");
  expect(kept).toMatch(new RegExp(`^${root.path}/[0-9a-f]{32}$`));
  expect(statSync(kept).mode & 0o777).toBe(0o700);
  const now = Date.now();
  for (let age = 0; age < 25; age += 1) {
    const folder = join(root.path, `profile-${age}`);
    mkdirSync(folder);
    utimesSync(folder, (now - age * 86_400_000) / 1_000, (now - age * 86_400_000) / 1_000);
  }
  utimesSync(kept, 0, 0);
  await pruneProfiles(root.path, new Set([kept]), now);
  expect(readdirSync(root.path)).toHaveLength(20);
  expect(readdirSync(root.path)).not.toContain("profile-19");
  await pruneProfiles(root.path, new Set([kept]), now + 31 * 86_400_000);
  expect(readdirSync(root.path)).toEqual([kept.slice(root.path.length + 1)]);
});

describe.skipIf(noBrowser)("browsers and their profiles, in Chromium", () => {
  test("[BR9] each session has a profile of its own, which outlives its browser", async () => {
    using root = scratch();
    await using server = await servePages(COOKIES);
    const visit = async (sessions: readonly string[]) => {
      await using world = await openBrowserTools({ directory: root.path });
      const titles: string[] = [];
      for (const session of sessions) {
        await world.callIn(session, "allowSite", { site: server.site });
        titles.push((await world.callIn(session, "navigate", { url: `${server.site}/` })).title);
      }
      return titles;
    };
    expect(await visit(["one", "one", "two"])).toEqual(["none", "seen=1", "none"]);
    expect(await visit(["one"])).toEqual(["seen=1"]);
    for (const name of readdirSync(root.path))
      expect(statSync(join(root.path, name)).mode & 0o777, name).toBe(0o700);
  });

  test("[BR9] a browser that was killed is started again; what the session may open stays", async () => {
    await using server = await servePages(COOKIES);
    await using world = await openBrowserTools();
    await world.open(`${server.site}/`);
    const profile = await openProfile(world.directory, "session");
    const holder = await lockedBy(profile);
    if (holder === undefined) throw new Error("no browser holds the profile");
    process.kill(holder, "SIGKILL");
    const again = async () => await world.call("navigate", { url: `${server.site}/` });
    // The first call may still meet the one that is dying.
    const { notes } = await again().catch(again);
    expect(notes).toContain("The browser had ended and was started again.");
  });

  test("[BR9] a browser that an earlier process left behind is ended, and its profile taken over", async () => {
    using root = scratch();
    await using server = await servePages(COOKIES);
    await using left = await openBrowserTools({ directory: root.path });
    await left.open(`${server.site}/`);
    const profile = await openProfile(root.path, "session");
    const orphan = await lockedBy(profile);
    await using world = await openBrowserTools({ directory: root.path });
    await world.open(`${server.site}/`);
    expect(await lockedBy(profile)).not.toBe(orphan);
    await expect(left.call("snapshot", { site: server.site })).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:browser_failed|page_elsewhere)$/),
    });
  });

  test("[BR9] one that nobody uses is closed after a while", async () => {
    const real = createSystemClock();
    const pass: (() => void)[] = [];
    const idleMs = 123_456;
    const sleep: Clock["sleep"] = (ms, signal) =>
      ms === idleMs ? new Promise((resolve) => pass.push(resolve)) : real.sleep(ms, signal);
    await using server = await servePages(COOKIES);
    await using world = await openBrowserTools({ idleMs, clock: { ...real, sleep } });
    await world.open(`${server.site}/`);
    const profile = await openProfile(world.directory, "session");
    expect(await lockedBy(profile)).toBeGreaterThan(1);
    pass.at(-1)?.();
    await expect.poll(() => lockedBy(profile)).toBeUndefined();
    expect((await world.call("navigate", { url: `${server.site}/` })).title).toBe("seen=1");
  });
});
