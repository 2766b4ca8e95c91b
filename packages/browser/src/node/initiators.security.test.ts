import { describe, expect, test } from "vitest";
import { noBrowser, openBrowserTools, refOf, servePages } from "./browser.fixture.ts";

/** Every name leads to this machine, as an attacker's can. */
const toThisMachine = async () => [{ address: "127.0.0.1", family: 4 }];
const posts = ({ asked }: { readonly asked: readonly string[] }) =>
  asked.filter((line) => !/^(?:GET|HEAD) /.test(line));

describe.skipIf(noBrowser)("who asks, in Chromium", () => {
  test("[BR14] while an approved submit runs, no other tab, frame or page sends anything", async () => {
    await using bank = await servePages({
      "/form": `<form method="post" action="/pay"><input name="a" value="1"><button>Save</button></form>`,
      "/pay": (_, response) => void setTimeout(() => response.end("paid"), 1_000),
    });
    const steal = `setInterval(() => fetch("${bank.site}/steal", { method: "POST", mode: "no-cors", body: "a=1" }).catch(() => {}), 10)`;
    await using evil = await servePages({
      "/": `<a href="/pop" target="_blank">Pop</a>`,
      "/pop": `<title>evil</title><script>${steal};
setInterval(() => { const f = document.createElement("form"); f.method = "post"; f.action = "${bank.site}/pay"; f.target = "x" + Math.random(); document.body.append(f); f.submit(); }, 200)</script>`,
    });
    await using world = await openBrowserTools();
    const snapshot = await world.open(`${evil.site}/`);
    await world.call("allowSite", { site: bank.site });
    await world.call("click", { site: evil.site, ref: refOf(snapshot, 'link "Pop"') }).catch(() => undefined);
    await world.call("showTab", { tab: 1 });
    await world.call("navigate", { url: `${bank.site}/form` });
    const { site } = bank;
    const shown = await world.call("snapshot", { site });
    await world.call("submit", { site, ref: refOf(shown, 'button "Save"'), element: 'button "Save"' });
    expect(posts(bank)).toEqual(["POST /pay"]);
  });

  test("[BR4] an untouched page sends nothing to another site, though the user has allowed it", async () => {
    await using bank = await servePages({});
    await using evil = await servePages({
      "/": `<p id="p"></p><iframe src="/frame"></iframe><script>
const send = () => fetch("${bank.site}/transfer", { method: "POST", mode: "no-cors", credentials: "include" });
send().catch(() => send()).catch(() => fetch("/redirect", { method: "POST", mode: "no-cors" })).catch(() => { p.textContent = "tried" });</script>`,
      "/frame": `<script>fetch("/own", { method: "POST" })</script>`,
      "/redirect": (_, response) => response.writeHead(307, { location: `${bank.site}/redirected` }).end(),
    });
    await using world = await openBrowserTools();
    await world.call("allowSite", { site: bank.site });
    await world.open(`${evil.site}/`);
    await world.call("wait", { site: evil.site, text: "tried" });
    expect(bank.asked).toEqual([]);
    expect(posts(evil)).toEqual(["POST /redirect"]);
  });

  test("[BR3] no page of the web leads a tab to a private site, by whatever way; the agent does", async () => {
    await using router = await servePages({
      "/": `<title>Router</title><a href="/status">Status</a>`,
      "/status": `<title>Status</title>`,
      "/reboot": "rebooted",
    });
    const to = `${router.site}/reboot?x=`;
    await using web = await servePages({
      "/script": `<script>setTimeout(() => { location = "${to}script" }, 50)</script>`,
      "/silent": `<meta name="referrer" content="no-referrer"><script>setTimeout(() => { location = "${to}silent" }, 50)</script>`,
      "/refresh": `<meta http-equiv="refresh" content="0; url=${to}refresh">`,
      "/form": `<form action="${router.site}/reboot"><input name="x" value="form"></form><script>document.forms[0].submit()</script>`,
      "/popup": `<a href="${to}link">Link</a><button type="button" onclick="open('${to}popup')">Popup</button>
<button type="button" onclick="w = open('/empty'); setTimeout(() => { w.location = '${to}opened' }, 300)">Later</button>`,
      "/empty": "<title>empty</title>",
      "/redirect": (_, response) => response.writeHead(302, { location: `${to}redirect` }).end(),
    });
    const site = `http://web.example:${web.port}`;
    await using world = await openBrowserTools({ allow: [site], resolve: toThisMachine });
    await world.call("allowSite", { site: router.site });
    for (const path of ["/script", "/silent", "/refresh", "/form"]) {
      await world.call("navigate", { url: `${site}${path}` }).catch(() => undefined);
      await world.call("wait", { site, ms: 500 });
    }
    await world.call("navigate", { url: `${site}/popup` });
    const shown = await world.call("snapshot", { site });
    for (const name of ['link "Link"', 'button "Popup"', 'button "Later"'])
      await world.call("click", { site, ref: refOf(shown, name) }).catch(() => undefined);
    await world.call("showTab", { tab: 1 });
    await world.call("wait", { site, ms: 500 });
    await expect(world.call("navigate", { url: `${site}/redirect` })).rejects.toMatchObject({
      code: "address_refused",
    });
    expect(router.asked).toEqual([]);
    expect(await world.call("navigate", { url: `${router.site}/` })).toMatchObject({ title: "Router" });
    const inner = await world.call("snapshot", { site: router.site });
    const link = { site: router.site, ref: refOf(inner, 'link "Status"') };
    expect(await world.call("click", link)).toMatchObject({ title: "Status" });
    expect(await world.call("back", {})).toMatchObject({ title: "Router" });
  });

  test("[BR4] what would submit a form is known by whatever way it is used, in frames too", async () => {
    const fields = `<input id="q" name="q" aria-label="Query"><input type="submit" id="go" value="Go"><label for="go"><b role="img" aria-label="Label">L</b></label>`;
    await using server = await servePages({
      "/": `<form action="/search">${fields}<button>Button</button></form>`,
      "/frame": `<iframe src="/"></iframe>`,
    });
    await using world = await openBrowserTools();
    const { site } = server;
    for (const path of ["/", "/frame"]) {
      const shown = await world.open(`${site}${path}`);
      const needed = { code: "approval_needed" };
      for (const name of ['button "Go', 'button "Button"', 'img "Label"']) {
        const ref = refOf(shown, name);
        await expect(world.call("click", { site, ref }), name).rejects.toMatchObject(needed);
        await expect(world.call("download", { site, ref }), name).rejects.toMatchObject(needed);
      }
      await world.call("click", { site, ref: refOf(shown, 'textbox "Query"') });
      await expect(world.call("press", { site, key: "Enter" })).rejects.toMatchObject(needed);
      await world.call("press", { site, key: "Tab" });
      await expect(world.call("press", { site, key: "Space" })).rejects.toMatchObject(needed);
    }
    expect(server.asked).toEqual(["GET /", "GET /frame", "GET /"]);
  });

  test("[BR4] the page that an approved submit leads to counts as newly opened", async () => {
    await using server = await servePages({
      "/": `<form method="post" action="/login"><button>Sign in</button></form>`,
      "/login": (_, response) => response.writeHead(303, { location: "/app" }).end(),
      "/app": `<p id="p">empty</p><script>
fetch("/query", { method: "POST" }).then((answer) => answer.text()).then((text) => { p.textContent = text })</script>`,
      "/query": "loaded",
    });
    await using world = await openBrowserTools();
    const { site } = server;
    const shown = await world.open(`${site}/`);
    const element = 'button "Sign in"';
    await world.call("submit", { site, ref: refOf(shown, element), element });
    await world.call("wait", { site, text: "loaded" });
    expect(posts(server)).toEqual(["POST /login", "POST /query"]);
  });
});
