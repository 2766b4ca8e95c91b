import type { BrowserContext, CDPSession, Page } from "playwright-core";
import type { BrowserTab } from "../judge-request.ts";
import { siteOf } from "../site.ts";
import type { SessionRights } from "./session-rights.ts";

/** The tabs of a browser by the ids that requests come with. */
export interface OpenTabs {
  /** The tab's id; rejects when it has been closed. */
  idOf(page: Page): Promise<string>;
  /** Undefined for what is no tab. */
  at(id: string): BrowserTab | undefined;
  /** The id of the tab that a frame is in; a tab's own frame has its id. Undefined for a frame that is not known. */
  ofFrame(frame: string): string | undefined;
  /** The sites of all frames of all tabs. */
  shown(): readonly string[];
}

export interface OpenTabsDeps {
  readonly context: BrowserContext;
  /** The session of the whole browser. */
  readonly session: CDPSession;
  readonly rights: Pick<SessionRights, "inherit" | "renew" | "isTouched" | "isActedOn" | "committed">;
}

/** Follows tabs and the frames in them from now on. Rejects when the browser has ended. */
export async function openTabs({ context, session, rights }: OpenTabsDeps): Promise<OpenTabs> {
  const openers = new Map<string, string | undefined>();
  const pages = new Map<string, Page>();
  const tabOfFrame = new Map<string, string>();
  const ids = new WeakMap<Page, Promise<string>>();

  session.on("Target.targetCreated", ({ targetInfo }) => {
    const { type, targetId, openerId } = targetInfo;
    if (type !== "page") return;
    openers.set(targetId, openerId);
    if (openerId !== undefined) rights.inherit(targetId, openerId);
  });
  session.on("Target.targetDestroyed", ({ targetId }) => {
    if (!openers.delete(targetId)) return;
    pages.delete(targetId);
    rights.renew(targetId);
    for (const [frame, tab] of tabOfFrame) if (tab === targetId) tabOfFrame.delete(frame);
  });

  const follow = async (page: Page): Promise<string> => {
    const cdp = await context.newCDPSession(page);
    const attached: string[] = [];
    const tab: { id?: string } = {};
    cdp.on("Page.frameAttached", ({ frameId }) => {
      if (tab.id === undefined) attached.push(frameId);
      else tabOfFrame.set(frameId, tab.id);
    });
    cdp.on("Page.frameDetached", ({ frameId, reason }) => {
      // One that is swapped goes on in another process.
      if (reason === "remove") tabOfFrame.delete(frameId);
    });
    cdp.on("Page.frameNavigated", ({ frame }) => {
      if (frame.id === tab.id) rights.committed(frame.id);
    });
    await cdp.send("Page.enable");
    const { frameTree } = await cdp.send("Page.getFrameTree");
    const { id } = frameTree.frame;
    tab.id = id;
    for (const frame of [...attached, ...framesIn(frameTree)]) tabOfFrame.set(frame, id);
    pages.set(id, page);
    return id;
  };
  const idOf = (page: Page): Promise<string> => {
    const known = ids.get(page) ?? follow(page);
    ids.set(page, known);
    known.catch(() => ids.delete(page));
    return known;
  };
  context.on("page", (page) => void idOf(page).catch(() => undefined));
  for (const page of context.pages()) idOf(page).catch(() => undefined);
  await session.send("Target.setDiscoverTargets", { discover: true });

  const siteAt = (id: string): string | undefined => siteOf(pages.get(id)?.url() ?? "");
  return {
    idOf,
    at(id) {
      if (!openers.has(id)) return undefined;
      const site = siteAt(id);
      const isTouched = [...openers.keys()].some(
        (tab) => rights.isTouched(tab) && (tab === id || siteAt(tab) === site),
      );
      const opener = openers.get(id);
      const isActedOn = rights.isActedOn(id) || (opener !== undefined && rights.isActedOn(opener));
      return { id, opener, site, isTouched, isActedOn };
    },
    ofFrame: (frame) => (openers.has(frame) ? frame : tabOfFrame.get(frame)),
    shown: () =>
      context.pages().flatMap((page) =>
        page.frames().flatMap((frame) => {
          const site = siteOf(frame.url());
          return site === undefined ? [] : [site];
        }),
      ),
  };
}

interface FrameTree {
  readonly frame: { readonly id: string };
  readonly childFrames?: readonly FrameTree[] | undefined;
}

function framesIn({ frame, childFrames = [] }: FrameTree): readonly string[] {
  return [frame.id, ...childFrames.flatMap(framesIn)];
}
