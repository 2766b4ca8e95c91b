import { expect, test } from "vitest";
import {
  type BrowserRequest,
  type BrowserRights,
  type BrowserTab,
  judgeRequest,
  type Submission,
} from "./judge-request.ts";

const SITE = "https://shop.example";
const OTHER = "https://bank.example";
const INNER = "http://192.168.1.5:8123";
const NEXT = "http://192.168.1.6";

const rights = (given: Partial<BrowserRights> = {}): BrowserRights => ({
  sites: new Set([SITE, OTHER, INNER, NEXT]),
  own: new Set(),
  submission: undefined,
  shown: [SITE],
  ...given,
});
const tab = (given: Partial<BrowserTab> = {}): BrowserTab => ({
  id: "T",
  opener: undefined,
  site: SITE,
  isTouched: false,
  isActedOn: false,
  ...given,
});
/** A request of an untouched page of the shop. */
const ask = (url: string, given: Partial<BrowserRequest> = {}): BrowserRequest => ({
  method: "GET",
  url,
  kind: "part",
  isBeacon: false,
  tab: tab(),
  isMain: true,
  initiator: SITE,
  isAgents: false,
  via: [],
  followsSubmit: false,
  body: undefined,
  ...given,
});
const judge = (url: string, request: Partial<BrowserRequest> = {}, given: Partial<BrowserRights> = {}) => {
  const verdict = judgeRequest(ask(url, request), rights(given));
  return verdict.kind === "pass" ? verdict.reach : verdict.why;
};
const touched = { tab: tab({ isTouched: true }) };

test("[BR2] a tab shows pages of allowed sites over http and https, and nothing else", () => {
  expect(judge(`${SITE}/a?b`, { kind: "page" })).toBe("public");
  expect(judge("https://shop.example:444/", { kind: "page" })).toBe("site");
  expect(judge("http://shop.example/", { kind: "page" })).toBe("site");
  expect(judge("https://www.shop.example/", { kind: "page" })).toBe("site");
  for (const url of [
    "file:///etc/passwd",
    "chrome://settings",
    "data:text/html,x",
    "blob:https://shop.example/1",
  ])
    expect(judge(url, { kind: "page" }), url).toBe("scheme");
  expect(judge("no address", { kind: "page" })).toBe("scheme");
});

test("[BR3] a page's parts come from public places, or are made by the page", () => {
  expect(judge("https://cdn.example/script.js")).toBe("public");
  expect(judge("https://ads.example/", { kind: "frame" })).toBe("public");
  expect(judge("data:image/png;base64,AA")).toBe("public");
  for (const url of ["ftp://shop.example/", "file:///etc/passwd"]) expect(judge(url), url).toBe("scheme");
  for (const url of [
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://10.0.0.1/",
    "http://169.254.169.254/latest/meta-data",
    "http://printer/",
    "http://x.localhost/",
    "https://shop.example:22/",
    "https://me:secret@shop.example/",
  ])
    expect(judge(url), url).toBe("address");
});

test("[BR3] a private site that was allowed is reached by its own pages, never by those of the web", () => {
  const inner = { tab: tab({ site: INNER }), initiator: INNER };
  expect(judge(`${INNER}/api`, inner, { shown: [INNER] })).toBe("own");
  // Whatever else is open, who asks is known.
  expect(judge(`${INNER}/api`, inner, { shown: [INNER, SITE] })).toBe("own");
  expect(judge(`${INNER}/api`)).toBe("address");
  expect(judge(`${INNER}/api`, { kind: "frame" })).toBe("address");
  // A page of the web inside of one there, and the other way round.
  expect(judge(`${INNER}/api`, { ...inner, initiator: SITE, isMain: false })).toBe("address");
  expect(judge(`${INNER}/api`, { initiator: INNER, isMain: false })).toBe("address");
  // One that does not say who it is.
  expect(judge(`${INNER}/api`, { ...inner, initiator: undefined }, { shown: [INNER] })).toBe("own");
  expect(judge(`${INNER}/api`, { ...inner, initiator: undefined }, { shown: [INNER, SITE] })).toBe("address");
  expect(judge(`${INNER}/api`, { ...inner, initiator: "null" })).toBe("address");
  // One that was sent there by the web.
  expect(judge(`${INNER}/api`, { ...inner, via: [SITE] })).toBe("address");
});

test("[BR3] a tab is led to a private site by the agent or by that site, and by no other page", () => {
  const page = { kind: "page" } as const;
  const agents = { ...page, initiator: undefined, isAgents: true };
  expect(judge(`${INNER}/`, agents)).toBe("own");
  expect(judge(`${INNER}/`, { ...agents, via: [NEXT] })).toBe("own");
  expect(judge(`${INNER}/`, { ...agents, via: [SITE] })).toBe("address");
  expect(judge("http://169.254.169.254/", agents, { sites: new Set(["http://169.254.169.254"]) })).toBe(
    "address",
  );
  expect(judge(`${INNER}/reboot`, page)).toBe("address");
  expect(judge(`${INNER}/reboot`, { ...page, tab: tab({ isActedOn: true }) })).toBe("address");
  expect(judge(`${INNER}/reboot`, { ...page, initiator: undefined })).toBe("address");
  expect(judge(`${INNER}/next`, { ...page, initiator: INNER })).toBe("own");
  expect(judge(`${INNER}/next`, { ...page, initiator: INNER, via: [SITE] })).toBe("address");
  expect(judge(`${INNER}/next`, { ...page, initiator: undefined }, { shown: [INNER] })).toBe("own");
  // From one device to another: when the agent clicks, not on its own.
  expect(judge(`${INNER}/`, { ...page, initiator: NEXT })).toBe("address");
  expect(judge(`${INNER}/`, { ...page, initiator: NEXT, tab: tab({ isActedOn: true }) })).toBe("own");
});

test("[BR3] a name that looks public is reached as such, unless the settings name it", () => {
  const own = new Set([SITE]);
  expect(judge(`${SITE}/`, { kind: "page" })).toBe("public");
  expect(judge(`${SITE}/`, { kind: "page" }, { own })).toBe("own");
  expect(judge(`${SITE}/`, { kind: "page", initiator: OTHER }, { own })).toBe("public");
});

const form = { method: "POST", action: `${SITE}/order`, charset: "utf-8", entries: [["q", "a b"]] } as const;
const submission = (given: Partial<Submission> = {}): Submission => ({
  tab: "T",
  isMain: true,
  site: SITE,
  form,
  to: new Set([SITE]),
  isOver: false,
  hopsLeft: 0,
  ...given,
});
const sent = {
  ...touched,
  method: "POST",
  kind: "page",
  body: { type: "application/x-www-form-urlencoded", bytes: "q=a+b" },
} as const;

test("[BR14] an approved form is sent as it was shown, once, from its document, to its target", () => {
  const order = `${SITE}/order`;
  expect(judge(order, sent)).toBe("change");
  expect(judge(order, sent, { submission: submission() })).toBe("public");
  expect(judge(`${order}#x`, sent, { submission: submission() })).toBe("public");
  const others: readonly Partial<BrowserRequest>[] = [
    { url: `${SITE}/other` },
    { url: `${order}?x=1` },
    { method: "PUT" },
    { body: { ...sent.body, bytes: "q=a+b&to=mallory" } },
    { body: { ...sent.body, bytes: "q=c" } },
    { body: { ...sent.body, type: "text/plain" } },
    { body: { type: "application/json", bytes: '{"q":"a b"}' } },
    { body: undefined },
    { initiator: OTHER },
    { initiator: "null" },
    { tab: tab({ id: "U", isTouched: true }) },
    { tab: undefined },
    { kind: "part", isMain: false },
    { kind: "part", isBeacon: true },
    { via: [SITE] },
  ];
  for (const given of others)
    expect(
      judge(given.url ?? order, { ...sent, ...given }, { submission: submission() }),
      JSON.stringify(given),
    ).toBe("change");
  expect(judge(order, sent, { submission: submission({ isOver: true }) })).toBe("change");
  expect(judge(order, sent, { submission: submission({ to: new Set([OTHER]) }) })).toBe("change");
  // In a new tab, without a referrer, and where its server sends it on to.
  expect(judge(order, { ...sent, tab: tab({ id: "U", opener: "T" }) }, { submission: submission() })).toBe(
    "public",
  );
  expect(judge(order, { ...sent, initiator: undefined }, { submission: submission() })).toBe("public");
  const on = { ...sent, via: [SITE], followsSubmit: true };
  expect(judge(`${SITE}/moved`, on, { submission: submission({ isOver: true }) })).toBe("public");
  expect(judge(`${OTHER}/moved`, on, { submission: submission({ isOver: true }) })).toBe("change");
});

test("[BR14] where a script is to send, it is a script of the document that was shown", () => {
  const approved = { submission: submission({ form: undefined }) };
  for (const method of ["POST", "PUT", "PATCH", "DELETE", "post", "PROPFIND"]) {
    const part = { ...touched, method };
    expect(judge(`${SITE}/api`, part), method).toBe("change");
    expect(judge(`${SITE}/api`, part, approved), method).toBe("public");
    expect(judge(`${OTHER}/`, part, approved), method).toBe("change");
    expect(judge(`${SITE}/api`, { ...part, initiator: OTHER }, approved), method).toBe("change");
    expect(judge(`${SITE}/api`, { ...part, initiator: undefined }, approved), method).toBe("change");
    expect(judge(`${SITE}/api`, { ...part, isMain: false }, approved), method).toBe("change");
    const elsewhere = { ...part, tab: tab({ id: "U", isTouched: true }) };
    expect(judge(`${SITE}/api`, elsewhere, approved), method).toBe("change");
  }
  for (const method of ["GET", "HEAD", "OPTIONS"])
    expect(judge(`${SITE}/`, { ...touched, method }), method).toBe("public");
});

test("[BR4] a page that nobody touched loads itself from its own site, which no form, beacon or frame does", () => {
  const method = "POST";
  expect(judge(`${SITE}/graphql`, { method })).toBe("public");
  expect(judge(`${SITE}/graphql`, { method, ...touched })).toBe("change");
  expect(judge(`${OTHER}/transfer`, { method })).toBe("change");
  expect(judge("https://stats.example/", { method })).toBe("change");
  expect(judge(`${SITE}/order`, { method, kind: "page" })).toBe("change");
  expect(judge(`${SITE}/order`, { method, kind: "frame" })).toBe("change");
  expect(judge(`${SITE}/left`, { method, isBeacon: true })).toBe("change");
  expect(judge(`${SITE}/graphql`, { method, isMain: false })).toBe("change");
  expect(judge(`${SITE}/graphql`, { method, initiator: OTHER })).toBe("change");
  expect(judge(`${SITE}/graphql`, { method, via: [OTHER] })).toBe("change");
  expect(judge(`${OTHER}/graphql`, { method, via: [SITE] })).toBe("change");
  expect(judge(`${SITE}/graphql`, { method, tab: undefined })).toBe("change");
});

test("[BR4] a report, or what is for others, is held back without failing what was clicked", () => {
  const matters = (url: string, given: Partial<BrowserRequest> = {}) => {
    const verdict = judgeRequest(ask(url, { method: "POST", ...touched, ...given }), rights());
    return verdict.kind === "refuse" ? verdict.matters : undefined;
  };
  expect(matters(`${SITE}/order`)).toBe("page");
  expect(matters("https://pay.example/", { kind: "frame" })).toBe("page");
  expect(matters(`${SITE}/clicked`, { isBeacon: true })).toBe("aside");
  expect(matters("https://stats.example/")).toBe("aside");
});

test("[BR14] the page that a submit has led to sends on as a page of its tab, within the origins that were named", () => {
  const passedOn = { ...sent, initiator: SITE, body: undefined };
  const led = { submission: submission({ isOver: true, hopsLeft: 1, to: new Set([SITE, OTHER]) }) };
  expect(judge(`${OTHER}/acs`, passedOn, led)).toBe("public");
  const others: readonly Partial<BrowserRequest>[] = [
    { kind: "part" },
    { kind: "frame", isMain: false },
    { initiator: undefined },
    { initiator: "https://mallory.example" },
    { tab: tab({ id: "U" }) },
    { via: [OTHER] },
  ];
  for (const other of others)
    expect(judge(`${OTHER}/acs`, { ...passedOn, ...other }, led), JSON.stringify(other)).toBe("change");
  const spent = submission({ isOver: true, to: new Set([SITE, OTHER]) });
  expect(judge(`${OTHER}/acs`, passedOn, { submission: spent })).toBe("change");
  expect(judge(`${OTHER}/acs`, passedOn, { submission: submission({ hopsLeft: 1 }) })).toBe("change");
});
