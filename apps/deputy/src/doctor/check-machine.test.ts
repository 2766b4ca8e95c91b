import { expect, test } from "vitest";
import { checkBrowser } from "./check-machine.ts";

const settings = { path: process.execPath, sandbox: true };
const machine = { env: { PATH: "/nowhere" }, platform: "linux", user: "ordinary" } as const;

test("the browser has its own sandbox, except for root or by the settings, which is reported", async () => {
  expect(await checkBrowser(settings, machine)).toEqual({
    check: "browser",
    status: "ok",
    message: `${process.execPath}, in its own sandbox`,
  });
  expect(await checkBrowser(settings, { ...machine, user: "root" })).toMatchObject({
    status: "advice",
    message: expect.stringContaining("does not work for root: a page that breaks it has root's rights"),
    fix: "Run Deputy as an ordinary user.",
  });
  expect(await checkBrowser({ ...settings, sandbox: false }, machine)).toMatchObject({
    status: "advice",
    message: expect.stringContaining("tools.browser.sandbox is false"),
  });
});

test("a missing browser from the settings is an error; without any there is advice", async () => {
  expect(await checkBrowser({ ...settings, path: "/nowhere/chrome" }, machine)).toMatchObject({
    status: "wrong",
    message: "tools.browser.path names no program: /nowhere/chrome.",
  });
  expect(await checkBrowser({ sandbox: true }, { ...machine, platform: "win32", env: {} })).toMatchObject({
    status: "advice",
    message: "There is no Chrome, Chromium or Edge on this machine.",
    fix: "Install one, or name its program in tools.browser.path.",
  });
});
