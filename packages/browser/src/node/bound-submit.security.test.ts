import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { noBrowser, refOf, servePages } from "./browser.fixture.ts";
import { openGatedBrowser } from "./gated-browser.fixture.ts";

const form = (action: string, more = "") =>
  `<form method="post" action="${action}"><input name="amount" value="1" aria-label="Amount">
<input type="hidden" name="account" value="mine"><button name="do" value="save">Save</button>${more}</form>`;

/** Keeps what is posted. */
function recorder() {
  const bodies: string[] = [];
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    let body = "";
    request.on("data", (chunk) => void (body += String(chunk)));
    request.on("end", () => {
      bodies.push(`${request.url} ${body}`);
      response.writeHead(200, { "content-type": "text/html" }).end("<title>Done</title>");
    });
  };
  return { bodies, take };
}

const submitOf = (site: string, snapshot: Parameters<typeof refOf>[0], name = 'button "Save"') => ({
  site,
  ref: refOf(snapshot, name),
  element: name,
});

describe.skipIf(noBrowser)("a yes to a submit, in Chromium", () => {
  // One browser for all that do not count tabs or rights: each has sites of its own in it.
  let shared: Awaited<ReturnType<typeof openGatedBrowser>>;
  beforeAll(async () => {
    // What is refused never loads: nobody needs to wait for it as long as a user would.
    shared = await openGatedBrowser({ limits: { loadMs: 5_000 } });
  });
  afterAll(() => shared?.[Symbol.asyncDispose]());
  // The next one begins on a page that does nothing more by itself: what a page still leaves for comes in between.
  afterEach(async () => {
    await using calm = await servePages({ "/": "<title>Calm</title>" });
    await shared.approved("allowSite", { site: calm.site });
    await vi.waitFor(() => shared.call("navigate", { url: `${calm.site}/` }));
  });

  test("[BR14] the card shows page, target and all values, hidden ones too, but no password", async () => {
    const { bodies, take } = recorder();
    await using server = await servePages({
      "/": form("/pay?x=1", `<input type="password" name="pin" value="12345">`),
      "/pay": take,
    });
    const { site } = server;
    const snapshot = await shared.open(`${site}/`);
    await shared.call("type", { site, ref: refOf(snapshot, "Amount"), text: "250" });
    const { card, receipt } = await shared.approved("submit", submitOf(site, snapshot));
    expect(card.split("\n")).toEqual([
      `Submit with button "Save" on ${site}`,
      `Page: ${site}/`,
      `Sends: POST ${site}/pay?x=1`,
      "Values:",
      "  amount = 250",
      "  account (hidden) = mine",
      "  do = save",
      "  pin = (5 characters, not shown)",
    ]);
    expect(receipt.status, receipt.error?.message).toBe("succeeded");
    expect(bodies).toEqual(["/pay?x=1 amount=250&account=mine&do=save&pin=12345"]);
  });

  test("[BR14] another page with an element of the same name and ref is not what the yes was for", async () => {
    await using server = await servePages({ "/a": form("/a-post"), "/b": form("/b-post") });
    await using world = await openGatedBrowser();
    const { site } = server;
    const onA = submitOf(site, await world.open(`${site}/a`));
    const moveOn = async (path: string, input: typeof onA) => {
      const running = world.receipt("submit", input);
      await world.question();
      await world.call("navigate", { url: `${site}${path}` });
      const now = submitOf(site, await world.call("snapshot", { site }));
      await world.answer();
      const { status, error } = await running;
      expect(status).toBe("denied");
      expect(error?.message).toContain("The element is not on the page any more.");
      return now;
    };
    // Nothing on the first page has this ref; the button of the second one does.
    const guessed = { ...onA, ref: "f1e4" };
    expect(await moveOn("/b", guessed)).toEqual(guessed);
    await moveOn("/a", guessed);
    expect(server.asked.filter((line) => line.startsWith("POST"))).toEqual([]);
  });

  describe("pages that change while the question waits", () => {
    test.each([
      ["its target", "f.action = '/other'", "the form goes elsewhere"],
      ["its method", "f.method = 'get'", "the form goes elsewhere"],
      ["a hidden value", "f.account.value = 'theirs'", "the values are others"],
      [
        "a field more",
        "f.append(Object.assign(document.createElement('input'), { name: 'x' }))",
        "the values are others",
      ],
      ["its address", "history.pushState(null, '', '/other')", "the page's address is another"],
      ["the button's target", "f.querySelector('button').formAction = '/other'", "the form goes elsewhere"],
      ["the button's value", "f.querySelector('button').value = 'delete'", "the values are others"],
    ])("[BR14] a page that changes %s while the question waits sends nothing", async (_, script, words) => {
      await using server = await servePages({
        "/": `${form("/pay")}<p id="p"></p><script>
const f = document.forms[0];
fetch("/go").then(() => { ${script}; p.textContent = "changed" });</script>`,
        "/go": (_request, response) => void (release = () => response.end()),
      });
      let release = (): void => undefined;
      const { site } = server;
      const running = shared.receipt("submit", submitOf(site, await shared.open(`${site}/`)));
      await shared.question();
      release();
      await shared.call("wait", { site, text: "changed" });
      await shared.answer();
      const { status, error } = await running;
      expect(status).toBe("denied");
      expect(error?.message).toContain(words);
      expect(server.asked).toEqual(["GET /", "GET /go"]);
    });
  });

  describe("pages that send something else", () => {
    test.each([
      ["values", "f.amount.value = '9000'"],
      ["target", "f.action = '/other'"],
      ["a field more", "f.insertAdjacentHTML('beforeend', '<input name=to value=mallory>')"],
      ["another form", "event.preventDefault(); g.submit()"],
      [
        "a script of its own",
        "event.preventDefault(); fetch('/pay', { method: 'POST', body: '{}' }).catch(() => {})",
      ],
      [
        "itself twice",
        "fetch('/pay', { method: 'POST', body: new URLSearchParams('amount=9&account=mine&do=save') }).catch(() => {})",
      ],
    ])(
      "[BR14] a page that sends %s in the moment of the click sends nothing but the form",
      async (_, script) => {
        const { bodies, take } = recorder();
        await using server = await servePages({
          "/": `${form("/pay")}<form id="g" method="post" action="/other"></form><script>
const f = document.forms[0];
f.addEventListener("submit", (event) => { ${script} });</script>`,
          "/pay": take,
          "/other": take,
        });
        const { site } = server;
        const { receipt } = await shared.approved("submit", submitOf(site, await shared.open(`${site}/`)));
        const isHonest = receipt.status === "succeeded";
        expect(bodies).toEqual(isHonest ? ["/pay amount=1&account=mine&do=save"] : []);
        if (!isHonest) expect(receipt.error).toMatchObject({ code: "page_changed" });
      },
    );
  });

  test("[BR14] what a page's own script sends needs a yes that says so", async () => {
    const { bodies, take } = recorder();
    await using server = await servePages({
      "/": `<form method="post" action="/plain"><input name="q" value="shoes"><button>Save</button></form>
<form><input id="word" value="hello"><button>Send</button></form>
<button type="button" onclick="fetch('/api', { method: 'PUT', body: 'put' })">Put</button><script>
for (const f of document.forms) f.onsubmit = (event) => {
  event.preventDefault();
  fetch("/api", { method: "POST", body: JSON.stringify({ q: f[0].value }) }).catch(() => {});
};</script>`,
      "/api": take,
    });
    const { site } = server;
    const snapshot = await shared.open(`${site}/`);
    const first = await shared.approved("submit", submitOf(site, snapshot));
    expect(first.receipt.error).toMatchObject({
      code: "page_changed",
      message: expect.stringMatching(/POST .*by: "script"/s),
    });
    expect(bodies).toEqual([]);
    const said = await shared.approved("submit", { ...submitOf(site, snapshot), by: "script" });
    expect(said.card).toContain(
      `A script of the page decides what is sent and where: it may send anything to ${site}.`,
    );
    expect(said.card).toContain("  q = shoes");
    expect(said.receipt.status).toBe("succeeded");
    // A form that says nothing about where it goes, and a button that has no form, are for scripts anyway.
    const second = await shared.approved("submit", submitOf(site, snapshot, 'button "Send"'));
    expect(second.card).toContain("  word = hello");
    await shared.approved("submit", submitOf(site, snapshot, 'button "Put"'));
    expect(bodies).toEqual(['/api {"q":"shoes"}', '/api {"q":"hello"}', "/api put"]);
  });

  test("[BR14] what is sent only after a while is sent under the yes", async () => {
    const { bodies, take } = recorder();
    const later = "f.onsubmit = (event) => { event.preventDefault(); setTimeout(() => f.submit(), 1_000) }";
    await using server = await servePages({
      "/": `<form method="post" action="/pay"><input name="q" value="shoes"><button>Save</button></form>
<button type="button" onclick="setTimeout(() => fetch('/api', { method: 'PUT', body: 'put' }), 1_000)">Put</button>
<script>const f = document.forms[0]; ${later}</script>`,
      "/api": take,
      "/pay": take,
    });
    const { site } = server;
    const snapshot = await shared.open(`${site}/`);
    for (const name of ['button "Put"', 'button "Save"']) {
      const { receipt } = await shared.approved("submit", submitOf(site, snapshot, name));
      expect(receipt, receipt.error?.message).toMatchObject({ status: "succeeded" });
    }
    expect(bodies).toEqual(["/api put", "/pay q=shoes"]);
  });

  describe("pages that wait", () => {
    test.each([
      ["with other values", "f.amount.value = '9000'; f.submit()"],
      ["to another target", "f.action = '/other'; f.submit()"],
      ["with another form", "g.submit()"],
      ["by another method", "fetch('/pay', { method: 'PUT', body: values }).catch(() => {})"],
      ["by a script", "fetch('/other', { method: 'POST', body: values }).catch(() => {})"],
      ["as a beacon", "navigator.sendBeacon('/pay', values)"],
      ["from a frame", "g.target = 'inner'; g.submit()"],
      ["from a tab that it opens", "open('/next')"],
      ["from the page that it goes to instead", "location = '/next'"],
      ["once more", "fetch('/pay', { method: 'POST', body: values }).then(() => f.submit()).catch(() => {})"],
      [
        "and goes on by itself",
        "fetch('/pay', { method: 'POST', body: values }).then(() => (location = '/next'))",
      ],
      [
        "and leaves before the answer",
        `f.insertAdjacentHTML("beforeend", '<input type=hidden name=do value=save>'); f.submit(); setTimeout(() => (location = "/next"), 100)`,
      ],
    ])(
      "[BR14] a page that waits while the yes is in force, and then sends %s, sends nothing but the form",
      async (_, script) => {
        const { bodies, take } = recorder();
        await using server = await servePages({
          "/": `${form("/pay")}<form id="g" method="post" action="/other"><input name="to" value="mallory"></form>
  <iframe name="inner"></iframe><script>
  const f = document.forms[0];
  const values = new URLSearchParams("amount=1&account=mine&do=save");
  f.addEventListener("submit", (event) => { event.preventDefault(); setTimeout(() => { ${script} }, 1_000) });</script>`,
          "/next": `<form method="post" action="/other"><input name="to" value="mallory"></form><script>document.forms[0].submit()</script>`,
          "/pay": (request, response) => void setTimeout(() => take(request, response), 300),
          "/other": take,
        });
        const { site } = server;
        await shared.approved("submit", submitOf(site, await shared.open(`${site}/`)));
        const honest = ["/pay amount=1&account=mine&do=save"];
        expect(bodies.length === 0 ? honest : bodies).toEqual(honest);
      },
    );
  });

  test("[BR14] forms in frames, in parts, in other encodings, with redirects and no referrer are sent as shown", async () => {
    const { bodies, take } = recorder();
    const page =
      (body: string, charset = "utf-8") =>
      (_: IncomingMessage, response: ServerResponse) =>
        void response
          .writeHead(200, {
            "content-type": `text/html; charset=${charset}`,
            "referrer-policy": "no-referrer",
          })
          .end(Buffer.from(body, charset === "utf-8" ? "utf8" : "latin1"));
    await using server = await servePages({
      "/frame": `<iframe src="/plain"></iframe>`,
      "/plain": page(form("/pay")),
      "/parts": page(
        `<form method="post" action="/parts-pay" enctype="multipart/form-data"><textarea name="note">a\nb "ü"</textarea><input type="file" name="f"><button>Save</button></form>`,
      ),
      "/latin": page(
        `<form method="post" action="/pay"><input name="n" value="Müller"><button>Save</button></form>`,
        "iso-8859-1",
      ),
      "/moved": page(form("/old")),
      "/old": (_, response) => response.writeHead(307, { location: "/pay" }).end(),
      "/pay": take,
      "/parts-pay": take,
    });
    const { site } = server;
    await shared.approved("allowSite", { site });
    for (const path of ["/frame", "/plain", "/parts", "/latin", "/moved"]) {
      await shared.call("navigate", { url: `${site}${path}` });
      const { receipt } = await shared.approved(
        "submit",
        submitOf(site, await shared.call("snapshot", { site })),
      );
      expect(receipt, `${path} ${receipt.error?.message}`).toMatchObject({ status: "succeeded" });
    }
    expect(bodies).toEqual([
      "/pay amount=1&account=mine&do=save",
      "/pay amount=1&account=mine&do=save",
      expect.stringContaining('a\r\nb "ü"'),
      "/pay n=M%FCller",
      "/pay amount=1&account=mine&do=save",
    ]);
  });

  test("[BR14] a yes for the session is for these values, to this target; others are asked about", async () => {
    const { bodies, take } = recorder();
    const fields = `<input name="amount" aria-label="Amount"><input name="to" aria-label="To">`;
    await using server = await servePages({
      "/": `<form method="post" action="/pay" target="f">${fields}<button>Save</button></form><iframe name="f"></iframe>`,
      "/pay": take,
    });
    const { site } = server;
    const fill = async (amount: string, to: string) => {
      await shared.call("type", { site, ref: refOf(snapshot, "Amount"), text: amount });
      await shared.call("type", { site, ref: refOf(snapshot, "To"), text: to });
      return submitOf(site, snapshot);
    };
    const snapshot = await shared.open(`${site}/`);
    await shared.approved("submit", await fill("5", "bob"), "session");
    await shared.call("submit", await fill("5", "bob"));
    expect(bodies).toEqual(["/pay amount=5&to=bob", "/pay amount=5&to=bob"]);
    const { card } = await shared.approved("submit", await fill("9000", "mallory"));
    expect(card).toContain("  to = mallory");
    expect(bodies).toHaveLength(3);
  });

  test("[BR14] a yes for the session counts after the page was opened again, unless a value is another", async () => {
    const { bodies, take } = recorder();
    await using server = await servePages({ "/": form("/pay"), "/other": form("/else"), "/pay": take });
    const { site } = server;
    await shared.open(`${site}/`);
    const input = { site, element: 'button "Save"' };
    const { card } = await shared.approved("submit", input, "session");
    expect(card).toContain("  account (hidden) = mine");
    await shared.call("navigate", { url: `${site}/` });
    await shared.call("submit", input);
    expect(bodies).toEqual(["/pay amount=1&account=mine&do=save", "/pay amount=1&account=mine&do=save"]);
    await shared.call("navigate", { url: `${site}/` });
    const shown = await shared.call("snapshot", { site });
    await shared.call("type", { site, ref: refOf(shown, "Amount"), text: "9000" });
    expect((await shared.approved("submit", input)).card).toContain("  amount = 9000");
    await shared.call("navigate", { url: `${site}/other` });
    expect((await shared.approved("submit", input)).card).toContain(`Sends: POST ${site}/else`);
  });

  test("[BR14] an element without a ref must be the only one of its name", async () => {
    await using server = await servePages({ "/": form("/pay") + form("/steal") });
    const { site } = server;
    await shared.open(`${site}/`);
    const { card, receipt } = await shared.approved("submit", { site, element: 'button "Save"' });
    expect(card).toContain("a yes sends nothing");
    expect(receipt.status).not.toBe("succeeded");
    expect(server.asked).toEqual(["GET /"]);
  });

  test("[BR14] a form that goes to another allowed site is sent there if the call names it, and not otherwise", async () => {
    const { bodies, take } = recorder();
    await using shop = await servePages({ "/checkout": take });
    await using server = await servePages({ "/": form(`${shop.site}/checkout`) });
    await shared.approved("allowSite", { site: shop.site });
    const snapshot = await shared.open(`${server.site}/`);
    const order = submitOf(server.site, snapshot);
    const unnamed = await shared.approved("submit", order);
    expect(unnamed.receipt).toMatchObject({ status: "failed" });
    expect(bodies).toEqual([]);
    const again = submitOf(server.site, await shared.open(`${server.site}/`));
    const { card, receipt } = await shared.approved("submit", { ...again, to: [shop.site] });
    expect(card).toContain(`Sends: POST ${shop.site}/checkout`);
    expect(receipt, receipt.error?.message).toMatchObject({ status: "succeeded" });
    expect(bodies).toEqual(["/checkout amount=1&account=mine&do=save"]);
  });

  test("[BR14] what a submit leads to may send on, as signing in elsewhere does, to the sites that the card names", async () => {
    const { bodies, take } = recorder();
    const passOn = (action: string) =>
      `<form method="post" action="${action}"><input name="assertion" value="signed"></form><script>document.forms[0].submit()</script>`;
    await using app = await servePages({ "/acs": take, "/steal": take });
    await using bank = await servePages({ "/steal": take });
    await using server = await servePages({
      "/": form("/login"),
      // As slow as servers are.
      "/login": (_, response) =>
        void setTimeout(() => response.writeHead(303, { location: "/continue" }).end(), 800),
      "/continue": passOn(`${app.site}/acs`),
      "/evil": form("/evil-login"),
      "/evil-login": passOn(`${bank.site}/steal`),
    });
    const { site } = server;
    for (const other of [app.site, bank.site]) await shared.approved("allowSite", { site: other });
    const first = submitOf(site, await shared.open(`${site}/`));
    const { card, receipt } = await shared.approved("submit", { ...first, to: [app.site] });
    expect(card).toContain(`It, and what ${site} makes of it, may also go to ${app.site}.`);
    expect(receipt, receipt.error?.message).toMatchObject({ status: "succeeded" });
    expect(receipt.resultJson).toContain(`"site":"${app.site}"`);
    expect(bodies).toEqual(["/acs assertion=signed"]);
    await shared.call("navigate", { url: `${site}/evil` });
    const second = submitOf(site, await shared.call("snapshot", { site }));
    await shared.approved("submit", { ...second, to: [app.site] });
    expect(bank.asked).toEqual([]);
  });

  test("[BR14] only the page that the submit leads to sends on, as a page, and not for ever", async () => {
    const { bodies, take } = recorder();
    await using app = await servePages({
      "/": take,
      "/loop": (_, response) =>
        void response
          .writeHead(200, { "content-type": "text/html" })
          .end(`<form method="post" action="/loop"></form><script>document.forms[0].submit()</script>`),
    });
    await using server = await servePages({
      "/": form("/sent"),
      "/sent": `<title>sent</title><iframe src="/frame"></iframe><script>
fetch("${app.site}/", { method: "POST", mode: "no-cors", body: "by=script" }).catch(() => {});
navigator.sendBeacon("${app.site}/", "by=beacon");</script>`,
      "/frame": `<form method="post" action="${app.site}/"><input name="by" value="frame"></form><script>document.forms[0].submit()</script>`,
      "/again": form("/looping"),
      "/looping": `<form method="post" action="${app.site}/loop"></form><script>document.forms[0].submit()</script>`,
    });
    const { site } = server;
    await shared.approved("allowSite", { site: app.site });
    const first = submitOf(site, await shared.open(`${site}/`));
    await shared.approved("submit", { ...first, to: [app.site] });
    expect(bodies).toEqual([]);
    await shared.call("navigate", { url: `${site}/again` });
    const second = submitOf(site, await shared.call("snapshot", { site }));
    await shared.approved("submit", { ...second, to: [app.site] });
    expect(app.asked.filter((line) => line === "POST /loop").length).toBeLessThanOrEqual(3);
  });

  test("[BR2] what the user takes back is closed: the site, its tabs, and what they would ask for", async () => {
    await using server = await servePages({
      "/": `<title>Mine</title><script>setInterval(() => fetch("/tick"), 50)</script>`,
    });
    await using world = await openGatedBrowser();
    const { site } = server;
    await world.open(`${site}/`, "session");
    await world.call("allowSite", { site });
    const [grant] = await world.grants.list();
    if (grant === undefined) throw new Error("There is no grant");
    await world.grants.revoke(grant.id, "me");
    await expect(world.call("snapshot", { site })).rejects.toThrow("site_not_allowed");
    await expect(world.call("navigate", { url: `${site}/` })).rejects.toThrow("site_not_allowed");
    expect(JSON.stringify(await world.call("tabs", {}))).not.toContain(site);
    const before = server.asked.length;
    await world.approved("allowSite", { site });
    expect(server.asked.length).toBe(before);
    expect(await world.call("navigate", { url: `${site}/` })).toMatchObject({ title: "Mine" });
  });

  test("[BR9] sessions of the same key share neither rights nor cookies", async () => {
    await using server = await servePages({
      "/": (request, response) =>
        void response
          .writeHead(200, { "content-type": "text/html", "set-cookie": "sid=secret; Max-Age=999" })
          .end(`<p>cookie: ${request.headers.cookie ?? "none"}</p>`),
    });
    await using world = await openGatedBrowser();
    const { site } = server;
    await world.open(`${site}/`);
    await world.call("navigate", { url: `${site}/` });
    expect((await world.call("extract", { site })).text).toContain("sid=secret");
    const other = world.openSession("key");
    await expect(other.call("navigate", { url: `${site}/` })).rejects.toThrow("site_not_allowed");
    const allowed = other.call("allowSite", { site });
    await world.answer();
    await allowed;
    await other.call("navigate", { url: `${site}/` });
    expect((await other.call("extract", { site })).text).toContain("cookie: none");
  });
});
