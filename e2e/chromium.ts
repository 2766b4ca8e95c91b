import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { PATIENCE_MS } from "./patience.ts";

/** The shell is the same browser without its windows, and starts and draws at a third of the cost. */
const CHROMIUM = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find((path) => existsSync(path));

/** A stranger without Chromium sees tests that need it skipped; in CI they fail instead. */
export const noBrowser = CHROMIUM === undefined && process.env["DEPUTY_CI"] === undefined;

/** A real browser that asks nobody for anything on its own, and is waited for as long as everything else in a test. */
export async function launchChromium(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: CHROMIUM ?? "/usr/bin/chromium",
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
