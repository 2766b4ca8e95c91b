import { join } from "node:path";
import type { Browser, BrowserContext, CDPSession } from "playwright-core";
import { ToolsError } from "@deputy/tools";
import type { GuardProxy } from "./guard-proxy.ts";
import { kill, lockedBy, reapBrowser } from "./profile-directory.ts";

/** The environment variables that a browser needs to start and to show a window. */
const PASSED: ReadonlySet<string> = new Set([
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "LANG",
  "LANGUAGE",
  "TZ",
  "TMPDIR",
  "DISPLAY",
  "WAYLAND_DISPLAY",
  "XAUTHORITY",
  "DBUS_SESSION_BUS_ADDRESS",
  // Windows does without none of these.
  "SYSTEMROOT",
  "WINDIR",
  "TEMP",
  "TMP",
  "USERPROFILE",
  "APPDATA",
  "LOCALAPPDATA",
  "PROGRAMDATA",
]);

export interface LaunchOptions {
  readonly program: string;
  readonly profile: string;
  readonly proxy: GuardProxy;
  readonly view: "headless" | "window";
  /** Chromium's own; it does not work for root. */
  readonly sandbox: "on" | "off";
  readonly env: NodeJS.ProcessEnv;
}

export interface LaunchedBrowser extends AsyncDisposable {
  readonly browser: Browser;
  readonly context: BrowserContext;
  /** The session of the whole browser. */
  readonly session: CDPSession;
  /** The folder for files while they are downloaded. */
  readonly downloads: string;
}

const LAUNCH_MS = 30_000;

const CLOSE_MS = 5_000;

const VIEW = { width: 1_280, height: 900 };

/**
 * A browser with one profile. Only this process can reach its pipe, and it reaches the network only through the
 * proxy. Rejects with `browser_failed`.
 */
export async function launchBrowser(options: LaunchOptions): Promise<LaunchedBrowser> {
  const { program, profile, proxy } = options;
  const downloads = join(profile, "downloads");
  await reapBrowser(profile);
  try {
    const { chromium } = await import("playwright-core");
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: program,
      headless: options.view === "headless",
      chromiumSandbox: options.sandbox === "on",
      serviceWorkers: "block",
      acceptDownloads: true,
      downloadsPath: downloads,
      permissions: [],
      viewport: VIEW,
      timeout: LAUNCH_MS,
      env: browserEnv(options.env),
      // The daemon decides when it ends.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      args: switches(proxy),
    });
    const browser = context.browser();
    if (browser === null) throw new Error("The context has no browser");
    const session = await browser.newBrowserCDPSession();
    return { browser, context, session, downloads, [Symbol.asyncDispose]: () => close(context, profile) };
  } catch (cause) {
    throw new ToolsError("browser_failed", `The browser could not be started: ${program}`, {
      cause,
      hint: "Start it by hand once; if its sandbox does not work here, set tools.browser.sandbox to false.",
    });
  }
}

function switches({ port }: GuardProxy): string[] {
  return [
    `--proxy-server=http://127.0.0.1:${port}`,
    // Without this, addresses of this machine would go past the proxy.
    "--proxy-bypass-list=<-loopback>",
    // The proxy resolves names; the browser does not.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--dns-prefetch-disable",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--disable-gpu",
    "--disable-sync",
    "--disable-component-update",
    "--disable-background-networking",
    "--disable-domain-reliability",
    "--disable-breakpad",
    "--no-pings",
    "--deny-permission-prompts",
    "--js-flags=--max-old-space-size=512",
  ];
}

/** Gracefully, so that cookies are kept; else by force. */
async function close(context: BrowserContext, profile: string): Promise<void> {
  const pid = await lockedBy(profile);
  const late = new Promise<"late">((resolve) => {
    const timer = setTimeout(() => resolve("late"), CLOSE_MS);
    timer.unref();
  });
  const ended = context.close().then(
    () => "closed" as const,
    () => "late" as const,
  );
  if ((await Promise.race([ended, late])) === "late" && pid !== undefined) kill(pid);
}

/** The environment of a browser: no key or token that Deputy was started with, and no switches for the browser. */
function browserEnv(env: NodeJS.ProcessEnv): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && (PASSED.has(name.toUpperCase()) || /^(?:LC|XDG)_[A-Z_]+$/.test(name)))
      passed[name] = value;
  return passed;
}
