import { join } from "node:path";
import { createSystemClock } from "@deputy/kit";
import type { Browsers } from "@deputy/browser";
import type { NetAudit } from "@deputy/net";
import type { Home } from "../home.ts";

const PROFILES = "browser";

/** The browsers of a home's sessions. Starts none before the first page. */
export async function openBrowsers(
  { directory, config }: Pick<Home, "directory" | "config">,
  env: NodeJS.ProcessEnv,
  audit: NetAudit,
): Promise<Browsers & AsyncDisposable> {
  const { createBrowsers } = await import("@deputy/browser/node");
  const { path, headless, sandbox, allow } = config.tools.browser;
  // Chromium's sandbox refuses to work for root.
  const canSandbox = sandbox && process.getuid?.() !== 0;
  return createBrowsers({
    directory: join(directory, PROFILES),
    path,
    view: headless ? "headless" : "window",
    sandbox: canSandbox ? "on" : "off",
    allow,
    env,
    audit,
    clock: createSystemClock(),
  });
}
