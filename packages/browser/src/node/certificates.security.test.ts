import { connect } from "node:tls";
import { describe, expect, test } from "vitest";
import { noBrowser, openBrowserTools, refOf, servePages } from "./browser.fixture.ts";
import { selfSigned } from "./self-signed.fixture.ts";

const SECRET = "<title>Secure</title><p>behind a certificate</p>";
const FINE = "<title>Fine</title><p>all is well</p>";

describe.skipIf(noBrowser)("pages with a certificate that nobody vouches for", () => {
  test("[BR11] are not opened: the error says that it is the certificate, and nothing was asked for", async () => {
    await using server = await servePages({ "/": SECRET }, selfSigned());
    await using world = await openBrowserTools();
    const { site, port } = server;
    await world.call("allowSite", { site });
    await expect(world.call("navigate", { url: `${site}/` })).rejects.toMatchObject({
      code: "page_failed",
      message: `${site} could not be opened: its certificate cannot be trusted (ERR_CERT_AUTHORITY_INVALID)`,
      hint: expect.stringContaining("Nothing was loaded"),
    });
    await expect(world.call("snapshot", { site })).rejects.toMatchObject({ code: "page_elsewhere" });
    expect(server.asked).toEqual([]);

    // The server is in order, for whoever does not look at who signed it.
    const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false });
    await new Promise((resolve) => socket.once("secureConnect", resolve));
    socket.end();
  });

  test("[BR11] nor by a link, a redirect, a frame, a picture or a script of a page; and nobody clicks through", async () => {
    await using locked = await servePages({ "/": SECRET }, selfSigned());
    await using server = await servePages({
      "/": `<title>Plain</title><p id="p">waiting</p><a href="${locked.site}/">Link</a>
<iframe src="${locked.site}/frame"></iframe><img src="${locked.site}/img"><script>
fetch("${locked.site}/fetch", { mode: "no-cors" }).catch(() => { p.textContent = "refused" })</script>`,
      "/redirect": (_, response) => response.writeHead(302, { location: `${locked.site}/redirected` }).end(),
      "/fine": FINE,
    });
    await using world = await openBrowserTools();
    const { site } = server;
    await world.call("allowSite", { site: locked.site });
    const snapshot = await world.open(`${site}/`);
    await world.call("wait", { site, text: "refused" });
    expect(await world.call("click", { site, ref: refOf(snapshot, 'link "Link"') })).toMatchObject({
      site: "",
    });
    // What the browser shows instead, with its way around, is no site: nothing can be done there.
    for (const one of [site, locked.site])
      await expect(world.call("press", { site: one, key: "Enter" }), one).rejects.toMatchObject({
        code: "page_elsewhere",
      });
    await expect(world.call("navigate", { url: `${site}/redirect` })).rejects.toMatchObject({
      code: "page_failed",
      message: expect.stringContaining("certificate cannot be trusted"),
    });
    expect(locked.asked).toEqual([]);
    expect(await world.call("navigate", { url: `${site}/fine` })).toMatchObject({ title: "Fine" });
  });
});
