import { describe, expect, test } from "vitest";
import { noBrowser, openBrowserTools, refOf, servePages } from "./browser.fixture.ts";

const JS = { "content-type": "text/javascript" };
/** Every name leads to this machine, as an attacker's can. */
const toThisMachine = async () => [{ address: "127.0.0.1", family: 4 }];

describe.skipIf(noBrowser)("what pages may reach, in Chromium", () => {
  test("[BR2] a site that nobody allowed is not opened: not by address, link, script, popup or redirect", async () => {
    await using server = await servePages({
      "/": `<a href="http://localhost:PORT/link">Link</a>
<button type="button" onclick="location = other + '/script'">Script</button>
<button type="button" onclick="window.open(other + '/popup')">Popup</button>
<script>const other = "http://localhost:" + location.port;
document.querySelector("a").href = other + "/link"</script>`,
      "/redirect": (_, response) =>
        response.writeHead(302, { location: `http://localhost:${server.port}/redirected` }).end(),
      "/redirected": "<p>arrived</p>",
    });
    await using world = await openBrowserTools();
    const { site, port } = server;
    const other = `http://localhost:${port}`;
    const refused = { code: "site_not_allowed", message: expect.stringContaining(other) };
    await expect(world.call("navigate", { url: `${site}/` })).rejects.toMatchObject({
      code: "site_not_allowed",
    });
    const snapshot = await world.open(`${site}/`);
    for (const name of ['link "Link"', 'button "Script"', 'button "Popup"'])
      await expect(world.call("click", { site, ref: refOf(snapshot, name) }), name).rejects.toMatchObject(
        refused,
      );
    await expect(world.call("navigate", { url: `${site}/redirect` })).rejects.toMatchObject(refused);
    expect(server.asked).toEqual(["GET /", "GET /redirect"]);

    await world.call("allowSite", { site: other });
    expect(await world.call("navigate", { url: `${site}/redirect` })).toMatchObject({ site: other });
    await expect(world.call("snapshot", { site })).rejects.toMatchObject({ code: "page_elsewhere" });
  });

  test("[BR2] files, the browser's own pages and made-up ones are not opened", async () => {
    await using server = await servePages({
      "/": `<meta http-equiv="refresh" content="0; url=file:///etc/passwd"><p>here</p>
<button type="button" onclick="location = URL.createObjectURL(new Blob(['<p>made up</p>'], { type: 'text/html' }))">Blob</button>
<button type="button" onclick="location = 'data:text/html,made up'">Data</button>
<button type="button" onclick="window.open('view-source:' + location)">Source</button>
<button type="button" onclick="window.open('chrome://settings')">Chrome</button>`,
    });
    await using world = await openBrowserTools();
    const { site } = server;
    for (const url of [
      "file:///etc/passwd",
      "chrome://version",
      "data:text/html,x",
      "view-source:http://x.org",
    ])
      await expect(world.call("navigate", { url }), url).rejects.toThrow();
    for (const name of ["Data", "Source", "Chrome", "Blob"]) {
      const snapshot = await world.open(`${site}/`);
      await world.call("click", { site, ref: refOf(snapshot, `button "${name}"`) }).catch(() => undefined);
      const shown = (await world.call("tabs", {})) as unknown as { url: string }[];
      for (const { url } of shown)
        expect(url, name).toMatch(/^(?:http:\/\/127\.0\.0\.1:\d+\/|about:blank|chrome-error:.*)$/);
    }
  });

  test("[BR3] a name that looks public and leads to this machine is not reached, whoever allowed it", async () => {
    await using server = await servePages({ "/": "<p>inner</p>" });
    const clouds = "http://169.254.169.254";
    await using world = await openBrowserTools({ resolve: toThisMachine, allow: [clouds] });
    const site = `http://rebind.example:${server.port}`;
    await world.call("allowSite", { site });
    await world.call("navigate", { url: `${site}/` }).catch(() => undefined);
    await expect(world.call("allowSite", { site: clouds })).rejects.toThrow("is never opened");
    await expect(world.call("navigate", { url: `${clouds}/latest/meta-data` })).rejects.toMatchObject({
      code: "address_refused",
    });
    expect(server.asked).toEqual([]);
  });

  test("[BR3] a page of the web reaches nothing on this machine, though the user has allowed a site there", async () => {
    await using server = await servePages({
      "/web": `<p>web</p><img src="http://127.0.0.1:PORT/img"><script>
const inner = "http://127.0.0.1:" + location.port;
document.querySelector("img").src = inner + "/img";
fetch(inner + "/fetch", { mode: "no-cors" }).catch(() => {});
const frame = document.createElement("iframe"); frame.src = inner + "/frame"; document.body.append(frame);
new Worker(URL.createObjectURL(new Blob(["fetch('" + inner + "/worker', { mode: 'no-cors' })"])));
</script>`,
      "/": "<p>mine</p>",
    });
    const web = `http://web.example:${server.port}`;
    await using world = await openBrowserTools({ resolve: toThisMachine, allow: [web] });
    await world.open(`${server.site}/`);
    const page = await world.call("navigate", { url: `${web}/web` });
    await world.call("wait", { site: web, ms: 500 });
    expect(server.asked).toEqual(["GET /", "GET /web"]);
    expect(page.title).toBe("");
  });

  test("[BR3] what the browser does on its own account does not leave the machine", async () => {
    await using server = await servePages({
      "/": `<link rel="dns-prefetch" href="//prefetched.example"><link rel="preconnect" href="//connected.example">
<form><input type="password" name="password"></form>`,
    });
    const asked: string[] = [];
    const resolve = async (name: string) => {
      asked.push(name);
      return await toThisMachine();
    };
    await using world = await openBrowserTools({ resolve });
    await world.open(`${server.site}/`);
    await world.call("wait", { site: server.site, ms: 500 });
    expect(asked).toEqual([]);
  });

  test("[BR3] there are no WebSockets, no service workers and no peer connections", async () => {
    await using server = await servePages({
      "/": `<p>sockets</p><script>
try { new WebSocket("ws://" + location.host + "/page") } catch {}
new Worker("/worker.js");
navigator.serviceWorker?.register("/service.js").catch(() => {});
document.title = typeof RTCPeerConnection + " " + typeof WebTransport;
</script>`,
      "/worker.js": (_, response) =>
        response
          .writeHead(200, JS)
          .end(`new WebSocket("ws://" + location.host + "/worker"); fetch("/ready")`),
      "/service.js": (_, response) => response.writeHead(200, JS).end(""),
    });
    await using world = await openBrowserTools();
    const { site } = server;
    await world.open(`${site}/`);
    const { title } = await world.call("wait", { site, ms: 500 });
    expect(title).toBe("undefined undefined");
    expect(server.asked).toEqual(["GET /", "GET /worker.js", "GET /ready"]);
  });

  test("[BR4] what a click sends is held back, however it is sent, and the call says that it needs approval", async () => {
    await using server = await servePages({
      "/": `<form id="f" method="post" action="/form"></form>
<button type="button" onclick="fetch('/fetch', { method: 'POST' }).catch(() => {})">Fetch</button>
<button type="button" onclick="navigator.sendBeacon('/beacon', 'x')">Beacon</button>
<button type="button" onclick="f.submit()">Form</button>`,
    });
    await using world = await openBrowserTools();
    const { site } = server;
    const snapshot = await world.open(`${site}/`);
    for (const name of ["Fetch", "Form"])
      await expect(
        world.call("click", { site, ref: refOf(snapshot, `button "${name}"`) }),
        name,
      ).rejects.toMatchObject({ code: "approval_needed" });
    // Reports are on every other page; that one was held back is worth a note.
    const { notes } = await world.call("click", { site, ref: refOf(snapshot, 'button "Beacon"') });
    expect(notes).toContain(`Held back, because it was not approved: POST ${site}/beacon`);
    expect(server.asked).toEqual(["GET /"]);
  });

  test("[BR4] what comes of a click later, or from a worker, is held back as well", async () => {
    await using server = await servePages({
      "/": `<p id="p"></p><button type="button" id="b">Begin</button><script>
b.onclick = () => {
  setTimeout(() => fetch("/late", { method: "DELETE" }).catch(() => { p.append("late is held, ") }), 1_000);
  new Worker("/worker.js").onmessage = () => { p.append("worker is held, ") };
}</script>`,
      "/worker.js": (_, response) =>
        response.writeHead(200, JS).end(`fetch("/worker", { method: "PUT" }).catch(() => postMessage(""))`),
    });
    await using world = await openBrowserTools();
    const { site } = server;
    const snapshot = await world.open(`${site}/`);
    await world.call("click", { site, ref: refOf(snapshot, "Begin") }).catch(() => undefined);
    await world.call("wait", { site, text: "late is held" });
    await world.call("wait", { site, text: "worker is held" });
    expect(server.asked).toEqual(["GET /", "GET /worker.js"]);
  });

  test("[BR4] a page that nobody has touched loads itself, also by POST, but sends nothing elsewhere", async () => {
    await using server = await servePages({
      "/": `<p id="p">empty</p><script>
fetch("http://localhost:" + location.port + "/elsewhere", { method: "POST", mode: "no-cors" }).catch(() => {});
fetch("/query", { method: "POST" }).then((answer) => answer.text()).then((text) => { p.textContent = text });
onpagehide = () => navigator.sendBeacon("/left")</script>`,
      "/query": "loaded",
    });
    await using world = await openBrowserTools();
    const { site } = server;
    await world.open(`${site}/`);
    await world.call("wait", { site, text: "loaded" });
    await world.call("navigate", { url: `${site}/` });
    await world.call("wait", { site, text: "loaded" });
    expect(server.asked).toEqual(["GET /", "POST /query", "GET /", "POST /query"]);
  });

  test("[BR4] a form is sent by submit alone, by the element that was named, to origins that were named", async () => {
    const form = (action: string) =>
      `<form method="post" action="${action}"><input name="q" aria-label="Query"><button>Buy</button></form>`;
    await using server = await servePages({
      "/": form("/bought"),
      "/bought": "<title>Bought</title>",
      "/away": `${form("")}<script>document.forms[0].action = "http://localhost:" + location.port + "/away"</script>`,
    });
    await using world = await openBrowserTools();
    const { site, port } = server;
    let snapshot = await world.open(`${site}/`);
    const ref = refOf(snapshot, 'button "Buy"');
    const field = refOf(snapshot, 'textbox "Query"');
    await expect(world.call("click", { site, ref })).rejects.toMatchObject({ code: "approval_needed" });
    await world.call("type", { site, ref: field, text: "shoes" });
    await expect(world.call("press", { site, key: "Enter" })).rejects.toMatchObject({
      code: "approval_needed",
    });
    await expect(world.call("submit", { site, ref, element: 'button "Look"' })).rejects.toMatchObject({
      code: "element_not_found",
      message: `${ref} is button "Buy" by now, not button "Look"`,
    });
    expect(server.asked).toEqual(["GET /"]);
    expect(await world.call("submit", { site, ref, element: 'button "Buy"' })).toMatchObject({
      title: "Bought",
    });
    const { host } = new URL(site);
    expect(world.audited).toEqual([`allow GET ${host}`, `allow POST ${host}`]);
    expect(server.asked).toEqual(["GET /", "POST /bought"]);

    const other = `http://localhost:${port}`;
    await world.call("allowSite", { site: other });
    snapshot = await world.open(`${site}/away`);
    const away = { site, ref: refOf(snapshot, 'textbox "Query"'), element: 'textbox "Query"' };
    await expect(world.call("submit", away)).rejects.toMatchObject({ code: "approval_needed" });
    expect(server.asked).not.toContain("POST /away");
    expect(await world.call("submit", { ...away, to: [other] })).toMatchObject({ site: other });
    expect(server.asked).toContain("POST /away");
  });
});
