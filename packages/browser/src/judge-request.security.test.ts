import { expect, test } from "vitest";
import { type BrowserRequest, type BrowserRights, judgeRequest } from "./judge-request.ts";

const SITE = "https://shop.example";
const INNER = "http://192.168.1.5:8123";

const rights = (given: Partial<BrowserRights> = {}): BrowserRights => ({
  sites: new Set([SITE, INNER]),
  own: new Set(),
  isTouched: false,
  submitsTo: undefined,
  shown: [SITE],
  ...given,
});
const judge = (url: string, request: Partial<BrowserRequest> = {}, given: Partial<BrowserRights> = {}) => {
  const verdict = judgeRequest(
    { method: "GET", url, kind: "part", isBeacon: false, ...request },
    rights(given),
  );
  return verdict.kind === "pass" ? verdict.reach : verdict.why;
};

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
  expect(judge(`${INNER}/`, { kind: "page" })).toBe("own");
  expect(judge(`${INNER}/api`, {}, { shown: [INNER] })).toBe("own");
  expect(judge(`${INNER}/api`)).toBe("address");
  expect(judge(`${INNER}/api`, { kind: "frame" }, { shown: [INNER, SITE] })).toBe("address");
  expect(
    judge("http://169.254.169.254/", { kind: "page" }, { sites: new Set(["http://169.254.169.254"]) }),
  ).toBe("address");
});

test("[BR3] a name that looks public is reached as such, unless the settings name it", () => {
  expect(judge(`${SITE}/`, { kind: "page" })).toBe("public");
  expect(judge(`${SITE}/`, { kind: "page" }, { own: new Set([SITE]) })).toBe("own");
});

test("[BR4] what is not a read passes for an approved submit, to the origins that it names", () => {
  const submitsTo = new Set([SITE]);
  for (const method of ["POST", "PUT", "PATCH", "DELETE", "post", "PROPFIND"]) {
    expect(judge(`${SITE}/order`, { method }, { isTouched: true }), method).toBe("change");
    expect(judge(`${SITE}/order`, { method }, { isTouched: true, submitsTo }), method).toBe("public");
    expect(judge("https://evil.example/", { method }, { submitsTo }), method).toBe("change");
  }
  for (const method of ["GET", "HEAD", "OPTIONS"])
    expect(judge(`${SITE}/`, { method }, { isTouched: true }), method).toBe("public");
});

test("[BR4] else for what a page that nobody touched loads from allowed sites, which no form and no beacon is", () => {
  const method = "POST";
  expect(judge(`${SITE}/graphql`, { method })).toBe("public");
  expect(judge("https://stats.example/", { method })).toBe("change");
  expect(judge(`${SITE}/order`, { method, kind: "page" })).toBe("change");
  expect(judge(`${SITE}/order`, { method, kind: "frame" })).toBe("change");
  expect(judge(`${SITE}/left`, { method, isBeacon: true })).toBe("change");
});

test("[BR4] a report, or what is for others, is held back without failing what was clicked", () => {
  const matters = (url: string, given: Partial<BrowserRequest> = {}) => {
    const request = { method: "POST", url, kind: "part", isBeacon: false, ...given } as const;
    const verdict = judgeRequest(request, rights({ isTouched: true }));
    return verdict.kind === "refuse" ? verdict.matters : undefined;
  };
  expect(matters(`${SITE}/order`)).toBe("page");
  expect(matters("https://pay.example/", { kind: "frame" })).toBe("page");
  expect(matters(`${SITE}/clicked`, { isBeacon: true })).toBe("aside");
  expect(matters("https://stats.example/")).toBe("aside");
});
