import type { Workspace } from "@deputy/workspace";
import { z } from "zod";
import { defineTool } from "@deputy/tools";
import type { CallPlace, ToolTree } from "@deputy/tools";
import { ToolsError } from "@deputy/tools";
import type { WorkspaceLane } from "@deputy/workspace";
import type { Browsers, DownloadOf, PageState, SubmitOrder, WaitFor } from "./session-browser.ts";
import { isPrivateSite, readSite, whyNeverOpened } from "./site.ts";

export interface BrowserToolsDeps {
  /** Opened when one of the tools is first called. */
  readonly browsers: () => Promise<Browsers>;
  readonly workspace: () => Promise<Workspace>;
}

const KEYS = [
  "Enter",
  "Escape",
  "Tab",
  "Backspace",
  "Delete",
  "ArrowUp",
  "ArrowDown",
  "ArrowLeft",
  "ArrowRight",
  "PageUp",
  "PageDown",
  "Home",
  "End",
  "Space",
] as const;

const MOST_ADDRESS_CHARS = 8_000;
const site = z
  .string()
  .max(500)
  .refine(isSite, "must be an origin, such as https://example.org")
  .describe("The page's origin, as the last result says; another page is an error");
/** Nobody is asked about what could not be opened anyway. */
const openableSite = site.check(({ value, issues }) => {
  const why = isSite(value) ? whyNeverOpened(readSite(value)) : undefined;
  if (why !== undefined) issues.push({ code: "custom", input: value, message: `is never opened: ${why}` });
});
const ref = z
  .string()
  .regex(/^(?:f\d+)?e\d+$/, "must be a ref of a snapshot, such as e12")
  .describe("Of the last snapshot");
const url = z
  .url({ protocol: /^https?$/, error: "must be a whole address; only http and https are opened" })
  .max(MOST_ADDRESS_CHARS);
const pageState = z.object({
  site: z.string(),
  url: z.string(),
  title: z.string(),
  notes: z.array(z.string()).describe("What happened besides: dialogs, refused requests, popups"),
});
const pageText = pageState.extend({
  text: z.string(),
  truncated: z.boolean(),
  hidden: z.int().describe("Pieces of text left out since a person would not see them"),
});
const tabList = z.array(z.object({ tab: z.int(), url: z.string(), isActive: z.boolean() }));
const submitInput = z.object({
  site,
  ref: ref.optional().describe("Needed where several elements have that name"),
  element: z.string().max(1_000).describe('As the snapshot names it, such as button "Sign in"'),
  to: z.array(site).max(10).default([]).describe("Other origins that the form sends to, or is passed on to"),
  by: z
    .enum(["form", "script"])
    .default("form")
    .describe("script: where the page's script sends the form in its own way, after page_changed said so"),
});
type SubmitInput = z.output<typeof submitInput>;
/** The page was allowed, and what the call changes there without a submit stays in it. */
const onPage = { approval: "auto", effect: "write", idempotent: false, critical: [] } as const;
const look = { approval: "auto", effect: "read" } as const;
const source = (input: { readonly site: string }): string => `browser ${readSite(input.site)}`;

/** Loaded when a form is looked at. */
const shownForm = () => import("./shown-form.ts");

/** `tools.browser.*`: pages in the session's own browser. Sites and submits are asked about, the rest is not. */
export function browserTools({ browsers, workspace }: BrowserToolsDeps, lane: WorkspaceLane): ToolTree {
  const of = async ({ session, sessionKey }: { readonly session?: string; readonly sessionKey: string }) =>
    (await browsers()).of(session ?? sessionKey);
  const lookAt = async (
    input: SubmitInput,
    { session, call }: CallPlace,
    what: "circumstances" | "grounds" | "card",
  ) =>
    session === undefined
      ? undefined
      : (await browsers()).of(session).lookAtSubmit(toOrder(input), call, what);
  return {
    allowSite: defineTool({
      description: "Let this session's browser open pages of a site; the user is asked, once for each site",
      approval: "required",
      effect: "egress",
      // A yes is to this site; to the tool it would be one to every other.
      grantable: "input",
      idempotent: true,
      trust: "trusted",
      args: z.object({ site: openableSite.describe("Such as https://example.org") }),
      returns: z.object({ site: z.string() }),
      run: async (input, call) => {
        const allowed = readSite(input.site);
        const isGranted = (await call.isGranted?.()) === true ? call.isGranted : undefined;
        (await of(call)).allowSite(allowed, isGranted);
        return { site: allowed };
      },
      formatApproval: (input) => {
        const asked = readSite(input.site);
        return {
          title: `Open ${asked} in the browser`,
          details: [
            "Pages of this site may be opened, read and clicked in this session. Submitting asks again.",
            ...(isPrivateSite(asked)
              ? ["It is on this machine or in a network of yours: its pages can reach what you alone can."]
              : []),
          ].join("\n"),
        };
      },
    }),

    navigate: defineTool({
      description:
        "Open the URL of a web page, on a site that browser.allowSite has allowed. To follow a link, click it",
      approval: "auto",
      // An address can carry data that was read before to the outside.
      effect: "egress",
      // Only to sites that were allowed one by one.
      anyValues: true,
      idempotent: true,
      critical: ["url"],
      source: (input) => `browser ${readSite(input.url)}`,
      throws: ["site_not_allowed", "address_refused", "page_failed"],
      args: z.object({ url }),
      returns: pageState,
      run: async (input, call) => toState(await (await of(call)).navigate(input.url, call)),
    }),

    back: defineTool({
      description: "Go back to the page before",
      ...onPage,
      args: z.object({}),
      returns: pageState,
      run: async (_, call) => toState(await (await of(call)).back(call)),
    }),

    snapshot: defineTool({
      description:
        "What is on the page, as a tree of what a person sees, with refs for click, type, select and submit",
      ...look,
      source,
      throws: ["page_elsewhere", "page_too_large", "page_failed"],
      args: z.object({ site }),
      returns: pageText,
      run: async (input, call) => {
        const text = await (await of(call)).snapshot(readSite(input.site), call);
        return { ...text, notes: [...text.notes] };
      },
    }),

    click: defineTool({
      description:
        "Click a button, a link or another element of the page. What submits a form, or sends anything, needs browser.submit",
      ...onPage,
      source,
      throws: ["element_not_found", "element_unusable", "approval_needed", "page_elsewhere"],
      args: z.object({ site, ref }),
      returns: pageState,
      run: async (input, call) =>
        toState(await (await of(call)).click(readSite(input.site), input.ref, call)),
    }),

    type: defineTool({
      description: "Fill in a field: put text in place of what is there",
      approval: "auto",
      // The page can read it as it is typed.
      effect: "egress",
      idempotent: false,
      critical: ["text"],
      source,
      throws: ["element_not_found", "element_unusable", "page_elsewhere"],
      args: z.object({ site, ref, text: z.string().max(100_000) }),
      returns: pageState,
      run: async (input, call) =>
        toState(await (await of(call)).type(readSite(input.site), input.ref, input.text, call)),
      formatApproval: (input) => ({
        title: `Type into a page of ${readSite(input.site)}`,
        details: `The page can read and send it as soon as it is typed:\n\n${input.text}`,
      }),
    }),

    select: defineTool({
      description: "Choose options of a select, by label or value",
      ...onPage,
      source,
      throws: ["element_not_found", "element_unusable", "page_elsewhere"],
      args: z.object({ site, ref, values: z.array(z.string().max(1_000)).min(1).max(100) }),
      returns: pageState,
      run: async (input, call) =>
        toState(await (await of(call)).select(readSite(input.site), input.ref, input.values, call)),
    }),

    press: defineTool({
      description: "Press a key where the page has its focus. Enter in a form needs browser.submit",
      ...onPage,
      source,
      throws: ["approval_needed", "page_elsewhere"],
      args: z.object({ site, key: z.enum(KEYS) }),
      returns: pageState,
      run: async (input, call) =>
        toState(await (await of(call)).press(readSite(input.site), input.key, call)),
    }),

    submit: defineTool({
      description:
        "Click a button, or press Enter in a field, and let through what that sends; the user is asked every time",
      approval: "required",
      effect: "egress",
      grantable: "input",
      idempotent: false,
      source,
      throws: ["element_not_found", "page_changed", "page_elsewhere"],
      args: submitInput,
      returns: pageState,
      circumstances: async (input, place) => {
        const shown = await lookAt(input, place, "circumstances");
        return shown === undefined ? unlikeAny() : (await shownForm()).circumstancesOfForm(shown);
      },
      grounds: async (input, place) => {
        const shown = await lookAt(input, place, "grounds");
        return shown === undefined ? unlikeAny() : (await shownForm()).groundsOfForm(shown);
      },
      changed: async (_, { session, call }) =>
        session === undefined || call === undefined
          ? undefined
          : (await browsers()).of(session).submitChange(call),
      run: async (input, call) =>
        toState(await (await of(call)).submit(toOrder(input), call.idempotencyKey, call)),
      formatApproval: async (input, place) => {
        const order = toOrder(input);
        const shown = await lookAt(input, place, "card").catch(() => undefined);
        const lines =
          shown === undefined
            ? ["The page does not show it now, so a yes sends nothing."]
            : (await shownForm()).linesOfForm(shown, [order.site, ...order.to]);
        return {
          title: `Submit with ${input.element} on ${order.site}`,
          details: [
            ...lines,
            ...order.to.map((other) => `It, and what ${order.site} makes of it, may also go to ${other}.`),
          ].join("\n"),
        };
      },
    }),

    wait: defineTool({
      description: "Wait until a text is on the page, or is gone, or some milliseconds have passed",
      ...look,
      source,
      throws: ["page_failed", "page_elsewhere"],
      args: z
        .object({
          site,
          text: z.string().min(1).max(1_000).optional(),
          gone: z.string().min(1).max(1_000).optional(),
          ms: z.int().min(1).max(30_000).optional(),
        })
        .refine(({ text, gone, ms }) => [text, gone, ms].filter((what) => what !== undefined).length === 1, {
          message: "must have one of text, gone and ms",
        }),
      returns: pageState,
      run: async (input, call) =>
        toState(await (await of(call)).wait(readSite(input.site), toWait(input), call)),
    }),

    extract: defineTool({
      description: "Read the page: its words, or those of one element, as Markdown or plain text",
      ...look,
      source,
      throws: ["element_not_found", "page_elsewhere", "page_too_large"],
      args: z.object({
        site,
        ref: ref.optional(),
        format: z.enum(["markdown", "text"]).default("markdown"),
      }),
      returns: pageText,
      run: async (input, call) => {
        const browser = await of(call);
        const text = await browser.extract(readSite(input.site), input.ref, input.format, call);
        return { ...text, notes: [...text.notes] };
      },
    }),

    screenshot: defineTool({
      description:
        "Take a screenshot: a picture of the page, kept as an attachment for the user; you see it with the result, if you can see pictures",
      ...look,
      source,
      throws: ["page_elsewhere", "page_failed"],
      args: z.object({ site, fullPage: z.boolean().default(false) }),
      returns: z.object({ blobId: z.string(), name: z.string(), mimeType: z.string(), bytes: z.int() }),
      run: async (input, call) => {
        if (call.attach === undefined)
          throw new ToolsError("page_failed", "There is nowhere to keep a picture");
        const browser = await of(call);
        const part = input.fullPage ? "page" : "view";
        const bytes = await browser.screenshot(readSite(input.site), part, call);
        const name = `${new URL(input.site).hostname}.png`;
        const { blobId } = await call.attach({ bytes, mimeType: "image/png", name });
        return { blobId, name, mimeType: "image/png", bytes: bytes.length };
      },
    }),

    download: defineTool({
      description:
        "Save a file into the workspace: what an element leads to, or an address of an allowed site",
      ...onPage,
      effect: "egress",
      critical: ["url"],
      // An element is the page's own; an address could be anybody's.
      terms: (input) => (input.url === undefined ? { effect: "write", critical: [] } : undefined),
      source,
      throws: ["download_failed", "element_not_found", "page_elsewhere", "request_invalid"],
      args: z
        .object({
          site,
          ref: ref.optional(),
          url: url.optional(),
          folder: z.string().max(1_000).default("downloads").describe("Of the workspace"),
        })
        .refine((input) => (input.ref === undefined) !== (input.url === undefined), {
          message: "must have either ref or url",
        }),
      returns: z.object({ path: z.string(), bytes: z.int() }),
      run: async (input, call) => {
        const browser = await of(call);
        const file = await browser.download(readSite(input.site), toDownload(input), call);
        call.progress(`Saving ${file.name}`);
        const { keepDownload } = await import("./keep-download.ts");
        return await lane(call.signal, async () =>
          keepDownload(await workspace(), input.folder, file, call.signal),
        );
      },
    }),

    tabs: defineTool({
      description: "The open tabs; pages open popups as tabs",
      ...look,
      args: z.object({}),
      returns: tabList,
      run: async (_, call) => [...(await (await of(call)).tabs(call))],
    }),

    showTab: defineTool({
      description: "Go on in another tab",
      ...onPage,
      throws: ["page_elsewhere"],
      args: z.object({ tab: z.int().min(1) }),
      returns: pageState,
      run: async (input, call) => toState(await (await of(call)).showTab(input.tab, call)),
    }),

    closeTab: defineTool({
      description: "Close a tab",
      ...onPage,
      throws: ["page_elsewhere"],
      args: z.object({ tab: z.int().min(1) }),
      returns: tabList,
      run: async (input, call) => [...(await (await of(call)).closeTab(input.tab, call))],
    }),
  };
}

function toState({ notes, ...state }: PageState) {
  return { ...state, notes: [...notes] };
}

function toOrder(input: SubmitInput): SubmitOrder {
  return { ...input, ref: input.ref, site: readSite(input.site), to: input.to.map(readSite) };
}

/** What cannot be looked at is never the same again, so that no earlier yes counts for it. */
function unlikeAny(): string {
  return crypto.randomUUID();
}

function toWait(input: {
  readonly text?: string | undefined;
  readonly gone?: string | undefined;
  readonly ms?: number | undefined;
}): WaitFor {
  if (input.text !== undefined) return { kind: "text", text: input.text };
  if (input.gone !== undefined) return { kind: "gone", text: input.gone };
  return { kind: "ms", ms: input.ms ?? 0 };
}

function toDownload(input: {
  readonly ref?: string | undefined;
  readonly url?: string | undefined;
}): DownloadOf {
  return input.ref === undefined ? { kind: "url", url: input.url ?? "" } : { kind: "ref", ref: input.ref };
}

function isSite(text: string): boolean {
  try {
    readSite(text);
    return true;
  } catch {
    return false;
  }
}
