import { mkdir } from "node:fs/promises";
import { type Clock, createKeyedLane } from "@deputy/kit";
import type { BrowserCall, Browsers, SessionBrowser } from "../session-browser.ts";
import { readSite } from "../site.ts";
import type { NetAudit } from "@deputy/net";
import { ToolsError } from "@deputy/tools";
import { type Resolve, resolveBySystem } from "@deputy/net/node";
import { BROWSER_LIMITS, type BrowserLimits } from "./browser-limits.ts";
import { createSessionBrowser } from "./create-session-browser.ts";
import { findBrowser } from "./find-browser.ts";
import { openSession, type OpenSession } from "./open-session.ts";
import { createPageNotes } from "./page-notes.ts";
import { openProfile, pruneProfiles } from "./profile-directory.ts";
import { createSessionRights } from "./session-rights.ts";

export interface BrowsersDeps {
  /** The folder of the profiles, one for each session. */
  readonly directory: string;
  readonly path?: string | undefined;
  readonly view: "headless" | "window";
  readonly sandbox: "on" | "off";
  /** Origins that need no question, and may be in a private network. */
  readonly allow: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Pick<Clock, "now" | "sleep">;
  readonly audit: NetAudit;
  readonly resolve?: Resolve;
  readonly limits?: Partial<BrowserLimits>;
  /** After so long without a call a browser is closed; its profile stays. */
  readonly idleMs?: number;
}

const MOST_OPEN = 3;
const IDLE_MS = 10 * 60_000;

interface Session {
  readonly browser: SessionBrowser;
  open: OpenSession | undefined;
  usedMs: number;
  idle: AbortController;
}

/**
 * Opens one browser for each session that needs one, a few at a time. For more, the one that was used longest ago is
 * closed. Throws `request_invalid` for an allowed origin that is not an origin.
 */
export function createBrowsers(deps: BrowsersDeps): Browsers & AsyncDisposable {
  const { directory, clock, env, audit } = deps;
  const own = new Set(deps.allow.map(readSite));
  const limits = { ...BROWSER_LIMITS, ...deps.limits };
  const sessions = new Map<string, Session>();
  const openFolders = new Set<string>();
  let isClosed = false;
  const starting = createKeyedLane<"start">({ maxWaiting: 100 });

  const close = async (session: Session): Promise<void> => {
    session.idle.abort();
    const { open } = session;
    session.open = undefined;
    await open?.[Symbol.asyncDispose]();
  };

  /** Begins to count again with every call. */
  const rest = (session: Session): void => {
    session.idle.abort();
    session.idle = new AbortController();
    session.usedMs = clock.now();
    clock.sleep(deps.idleMs ?? IDLE_MS, session.idle.signal).then(
      () => close(session),
      () => undefined,
    );
  };

  const makeRoom = async (): Promise<void> => {
    const open = [...sessions.values()].filter((session) => session.open !== undefined);
    const [oldest] = open.sort((a, b) => a.usedMs - b.usedMs);
    if (open.length >= MOST_OPEN && oldest !== undefined) await close(oldest);
  };

  const create = (id: string): Session => {
    const rights = createSessionRights(own);
    const notes = createPageNotes();
    const profile = (): Promise<string> => openProfile(directory, id);
    const start = async (call: BrowserCall): Promise<OpenSession> => {
      call.progress("Starting the browser");
      const program = await findBrowser({ configured: deps.path, platform: process.platform, env });
      await makeRoom();
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const folder = await profile();
      const kept = new Set([folder, ...openFolders]);
      await pruneProfiles(directory, kept, clock.now());
      const launch = { program, profile: folder, view: deps.view, sandbox: deps.sandbox, env };
      const resolve = deps.resolve ?? resolveBySystem;
      const opened = await openSession({ launch, resolve, limits, notes, audit, rights });
      openFolders.add(folder);
      opened.ended.addEventListener("abort", () => openFolders.delete(folder), { once: true });
      return opened;
    };
    const open = (call: BrowserCall): Promise<OpenSession> =>
      starting.run("start", call.signal, async () => {
        if (isClosed) throw new ToolsError("browser_failed", "Deputy is stopping");
        if (session.open?.ended.aborted === true) {
          notes.add("The browser had ended and was started again.");
          await close(session);
        }
        session.open ??= await start(call);
        rest(session);
        return session.open;
      });
    const browser = createSessionBrowser({
      open,
      isOpen: () => session.open?.ended.aborted === false,
      rights,
      notes,
      limits,
      clock,
    });
    const session: Session = { browser, open: undefined, usedMs: 0, idle: new AbortController() };
    return session;
  };

  return {
    of(id) {
      const session = sessions.get(id) ?? create(id);
      sessions.set(id, session);
      return session.browser;
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      await Promise.all([...sessions.values()].map(close));
    },
  };
}
