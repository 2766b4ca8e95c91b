import { createSocket } from "node:dgram";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { noBrowser, openBrowserTools, refOf, servePages } from "./browser.fixture.ts";
import { processesBelow } from "./processes.fixture.ts";
import { lockedBy, openProfile } from "./profile-directory.ts";

const FINE = "<title>Fine</title><p>all is well</p>";

/** A hostile page, beside one that is not. */
async function setup(
  pages: Parameters<typeof servePages>[0],
  options: Parameters<typeof openBrowserTools>[0] = {},
) {
  const server = await servePages({ "/fine": FINE, ...pages });
  const world = await openBrowserTools(options);
  return {
    ...world,
    server,
    site: server.site,
    /** The session's browser still works. */
    expectFine: async () =>
      expect(await world.call("navigate", { url: `${server.site}/fine` })).toMatchObject({ title: "Fine" }),
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Where a page could try to send something past the proxy: nobody is to come. */
async function openTrap() {
  const arrived: string[] = [];
  const udp = createSocket("udp4", () => void arrived.push("udp"));
  await new Promise<void>((resolve) => udp.bind(0, "127.0.0.1", resolve));
  const tcp = createServer((socket) => {
    arrived.push("tcp");
    socket.destroy();
  });
  await new Promise<void>((resolve) => tcp.listen(0, "127.0.0.1", resolve));
  return {
    arrived,
    udpPort: udp.address().port,
    tcpPort: (tcp.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => udp.close(() => resolve()));
      await new Promise<void>((resolve) => tcp.close(() => resolve()));
    },
  };
}

describe.skipIf(noBrowser)("pages that mean harm, in Chromium", () => {
  test("[BR6] a page that reloads itself for ever is left, and does not wear the session out", async () => {
    await using world = await setup(
      { "/": `<p>again</p><script>onload = () => location.reload()</script>` },
      { limits: { loadMs: 2_000, settleMs: 1_000, actionMs: 4_000 } },
    );
    await world.call("allowSite", { site: world.site });
    await world.call("navigate", { url: `${world.site}/` }).catch(() => undefined);
    await world.call("snapshot", { site: world.site }).catch(() => undefined);
    await world.expectFine();
  });

  test("[BR6] a page that never finishes is shown as far as it has come, and says so", async () => {
    await using world = await setup(
      {
        "/": (_, response) =>
          void response
            .writeHead(200, { "content-type": "text/html" })
            .write("<title>Slow</title><p>the beginning</p><script src='/never.js' defer></script>"),
        "/never.js": () => undefined,
      },
      { limits: { loadMs: 500 } },
    );
    const { site } = world;
    await world.call("allowSite", { site });
    const { notes } = await world.call("navigate", { url: `${site}/` });
    expect(notes).toContain("The page is still loading.");
    expect((await world.call("snapshot", { site })).text).toContain("the beginning");
    await world.expectFine();
  });

  test("[BR6] of a hundred popups with dialogs and popups of their own, a few become tabs", async () => {
    await using world = await setup({
      "/": `<button type="button" onclick="for (let i = 0; i < 100; i++) window.open('/popup?' + i, 'w' + i)">Storm</button>`,
      "/popup": `<script>confirm("stay?"); prompt("who?"); window.open("/popup?more" + location.search)</script>`,
    });
    const { site } = world;
    const snapshot = await world.open(`${site}/`);
    await world.call("click", { site, ref: refOf(snapshot, "Storm") }).catch(() => undefined);
    expect(((await world.call("tabs", {})) as unknown as unknown[]).length).toBeLessThanOrEqual(8);
    await world.expectFine();
  });

  test("[BR6] a tree of elements that is deeper than any stack ends the call, and nothing else", async () => {
    await using world = await setup({
      "/": `<p>top</p><script>
let at = document.body;
for (let i = 0; i < 20_000; i++) { const next = document.createElement("div"); at.append(next); at = next }
at.textContent = "the bottom"</script>`,
    });
    const { site } = world;
    await world.call("allowSite", { site });
    await world.call("navigate", { url: `${site}/` });
    for (const tool of ["snapshot", "extract"])
      await world.call(tool, { site }).then(
        ({ text }) => expect(text.length, tool).toBeLessThanOrEqual(100_000),
        (error: unknown) => expect(error, tool).toMatchObject({ name: "ToolsError" }),
      );
    await world.expectFine();
  });

  test.skipIf(process.platform !== "linux")(
    "[BR6] a page whose process is killed ends its call; the next page has another process",
    async () => {
      await using world = await setup({ "/": "<p>alive</p>" });
      const { site } = world;
      await world.open(`${site}/`);
      const browser = await lockedBy(await openProfile(world.directory, "session"));
      if (browser === undefined) throw new Error("no browser holds the profile");
      const waiting = world.call("wait", { site, text: "never" });
      waiting.catch(() => undefined);
      await expect.poll(() => world.progress.at(-1)).toBe("Waiting until “never” is there");
      const renderers = processesBelow(browser).filter(({ command }) => command.includes("--type=renderer"));
      expect(renderers.length).toBeGreaterThan(0);
      for (const { pid } of renderers) process.kill(pid, "SIGKILL");
      await expect(waiting).rejects.toMatchObject({ code: "page_failed" });
      const { notes } = await world.call("navigate", { url: `${site}/fine` });
      expect(notes).toContain("The page crashed and was closed.");
      expect(await lockedBy(await openProfile(world.directory, "session"))).toBe(browser);
    },
  );

  test("[BR12] what asks the user is refused without asking: places, cameras, devices, files, other programs", async () => {
    await using world = await setup({
      "/": `<title>asking</title><p id="p"></p><input type="file" aria-label="Upload">
<button type="button" id="b">Ask</button><script>
const ask = (name, promise) =>
  promise.then(() => p.append(name + " granted, "), () => p.append(name + " refused, "));
const orThrow = (answer) => { if (answer !== "granted") throw answer };
b.onclick = async () => {
  // Whoever asks for a choice may wait for it as long as it likes.
  ask("usb", navigator.usb.requestDevice({ filters: [] }));
  ask("files", showOpenFilePicker());
  await Promise.all([
    ask("place", new Promise((yes, no) => navigator.geolocation.getCurrentPosition(yes, no))),
    ask("camera", navigator.mediaDevices.getUserMedia({ video: true, audio: true })),
    ask("notifications", Notification.requestPermission().then(orThrow)),
    ask("clipboard", navigator.clipboard.readText()),
    ask("midi", navigator.requestMIDIAccess({ sysex: true })),
  ]);
  const frame = document.createElement("iframe");
  frame.src = "mailto:eve@example.org";
  document.body.append(frame);
  p.append("all asked");
  setTimeout(print, 0);
}</script>`,
    });
    const { site } = world;
    const snapshot = await world.open(`${site}/`);
    await world.call("click", { site, ref: refOf(snapshot, 'button "Ask"') });
    await world.call("wait", { site, text: "all asked" });
    const { text } = await world.call("extract", { site, format: "text" });
    for (const name of ["place", "camera", "notifications", "clipboard", "midi"])
      expect(text, name).toContain(`${name} refused`);
    expect(text).not.toContain("granted");
    await world.call("click", { site, ref: refOf(snapshot, 'button "Upload"') }).catch(() => undefined);
    await world.expectFine();
  });

  test("[BR3] nothing leaves past the proxy from realms that a page makes for itself", async () => {
    await using trap = await openTrap();
    await using world = await setup({
      "/": `<title>realms</title><p id="p">trying</p><script>
const realms = [self];
const blank = document.createElement("iframe"); document.body.append(blank); realms.push(blank.contentWindow);
const written = document.createElement("iframe"); written.srcdoc = "<p>x"; document.body.append(written);
const from = (realm) => {
  for (const address of ["ws://127.0.0.1:${trap.tcpPort}/", "ws://" + location.host + "/socket"])
    try { new realm.WebSocket(address) } catch {}
  try {
    const iceServers = [{ urls: "stun:127.0.0.1:${trap.udpPort}" },
      { urls: "turn:127.0.0.1:${trap.tcpPort}?transport=tcp", username: "u", credential: "c" }];
    const peer = new realm.RTCPeerConnection({ iceServers });
    peer.createDataChannel("x");
    peer.createOffer().then((offer) => peer.setLocalDescription(offer));
  } catch {}
  try { new realm.WebTransport("https://127.0.0.1:${trap.udpPort}/") } catch {}
};
written.onload = () => {
  realms.push(written.contentWindow);
  realms.forEach(from);
  const popup = window.open("about:blank");
  if (popup) from(popup);
  const shared = "new WebSocket('ws://" + location.host + "/shared'); new WebSocket('ws://127.0.0.1:${trap.tcpPort}/'); fetch('" + origin + "/ready')";
  try { new SharedWorker(URL.createObjectURL(new Blob([shared]))) } catch {}
  setTimeout(() => { p.textContent = "tried " + realms.length }, 500);
}</script>`,
    });
    const { site } = world;
    await world.open(`${site}/`);
    await world.call("wait", { site, text: "tried 3" });
    // The worker got as far as its sockets.
    await expect.poll(() => world.server.asked).toEqual(["GET /", "GET /ready"]);
    expect(trap.arrived).toEqual([]);
  });

  test("[BR4] pings, reports and what is sent while the page is left are held back, to whomever", async () => {
    await using elsewhere = await servePages({});
    await using world = await setup({
      "/": (_, response) =>
        response.writeHead(200, {
          "content-type": "text/html",
          "content-security-policy": `img-src 'none'; report-uri /csp ${elsewhere.site}/csp`,
          "report-to": `{"group":"g","max_age":9,"endpoints":[{"url":"${elsewhere.site}/report"}]}`,
        }).end(`<title>reports</title><img src="/blocked.png">
<a href="/fine" ping="/ping ${elsewhere.site}/ping">Leave</a><script>
const leave = () => {
  for (const to of ["", "${elsewhere.site}"]) {
    navigator.sendBeacon(to + "/beacon", "secret");
    fetch(to + "/keepalive", { method: "POST", keepalive: true, mode: "no-cors", body: "secret" }).catch(() => {});
    try { fetchLater(to + "/later", { method: "POST", body: "secret" }) } catch {}
  }
};
onpagehide = leave; onbeforeunload = leave; onvisibilitychange = leave</script>`),
    });
    const { site } = world;
    const snapshot = await world.open(`${site}/`);
    await world.call("click", { site, ref: refOf(snapshot, 'link "Leave"') }).catch(() => undefined);
    await world.expectFine();
    expect(world.server.asked.filter((line) => !line.startsWith("GET "))).toEqual([]);
    expect(elsewhere.asked.filter((line) => !line.startsWith("GET "))).toEqual([]);
    const tried = world.audited.filter((line) => line.startsWith("deny POST"));
    const hosts = [site, elsewhere.site].map((one) => `deny POST ${new URL(one).host}`);
    expect(new Set(tried)).toEqual(new Set(hosts));
  });

  test("[BR7] a file that ends too soon, or whose name is a path, becomes no file elsewhere", async () => {
    await using world = await setup(
      {
        "/": `<p>files</p>`,
        "/path": (_, response) =>
          response
            .writeHead(200, { "content-disposition": 'attachment; filename="../../../../tmp/x"' })
            .end("named"),
        "/broken": (_, response) => {
          response.writeHead(200, {
            "content-disposition": "attachment; filename=half.bin",
            "content-length": "1000",
          });
          response.write("half");
          setImmediate(() => response.destroy());
        },
      },
      { limits: { navigateMs: 5_000, downloadMs: 20_000 } },
    );
    const { site } = world;
    await world.open(`${site}/`);
    const { path } = await world.call("download", { site, url: `${site}/path` });
    expect(path).toMatch(/^downloads\/[^/]+$/);
    await expect(world.call("download", { site, url: `${site}/broken` })).rejects.toMatchObject({
      code: "download_failed",
    });
    await expect(
      world.call("download", { site, url: `${site}/path`, folder: "../../out" }),
    ).rejects.toThrow();
    const { signal } = new AbortController();
    const names = (await world.workspace.list("downloads", signal)).map(({ name }) => name);
    expect(names).toEqual([path.slice("downloads/".length)]);
  });
});
