import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { PATIENCE_MS } from "./patience.ts";

const WHOLE = "/usr/bin/chromium";
/** The shell is the same browser without its windows, notifications and smooth scrolling, and costs a third. */
const SHELL = "/usr/bin/chromium-headless-shell";
const FOUND = [SHELL, WHOLE].find((path) => existsSync(path));

/** A stranger without Chromium sees tests that need it skipped; in CI they fail instead. */
export const noBrowser = FOUND === undefined && process.env["DEPUTY_CI"] === undefined;

/** The same for a test that needs all of a browser. */
export const noWholeBrowser = !existsSync(WHOLE) && process.env["DEPUTY_CI"] === undefined;

/** A real browser that asks nobody for anything on its own, and is waited for as long as everything else in a test. */
export async function launchChromium(needed: "page" | "whole" = "page"): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: needed === "page" ? (FOUND ?? WHOLE) : WHOLE,
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  browser.on("context", (context) => context.setDefaultTimeout(PATIENCE_MS));
  return browser;
}
