import { describe, expect, test } from "vitest";
import { noBrowser, openBrowserTools, refOf, servePages } from "./browser.fixture.ts";

const SHOP = `<!doctype html><title>Shop</title><h1>Shop</h1>
<form method="post" action="/order"><label>Name <input name="name"></label>
<label>Size <select name="size"><option>small<option>large</select></label><button>Order</button></form>
<a href="/about">About us</a> <button type="button" id="more" onclick="document.body.append('more was shown')">More</button>
<iframe src="/frame"></iframe>`;

const PAGES = {
  "/": SHOP,
  "/frame": "<p>In a frame</p><button onclick=\"this.textContent='pressed'\">Inner</button>",
  "/about": '<!doctype html><title>About</title><h2>About</h2><p>We sell <a href="/">shoes</a>.</p>',
  "/order": "<title>Thanks</title><p>Thank you</p>",
};

describe.skipIf(noBrowser)("the browser tools in Chromium", () => {
  test("[BR5] a snapshot is a tree with refs, frames included, by which elements are used", async () => {
    await using server = await servePages(PAGES);
    await using world = await openBrowserTools();
    const { site } = server;
    const snapshot = await world.open(`${site}/`);
    expect(snapshot).toMatchObject({ site, url: `${site}/`, title: "Shop", truncated: false, hidden: 0 });
    expect(snapshot.text).toMatch(/- heading "Shop" \[level=1\] \[ref=e\d+\]/);
    expect(snapshot.text).toContain("In a frame");

    await world.call("click", { site, ref: refOf(snapshot, 'button "More"') });
    await world.call("click", { site, ref: refOf(snapshot, 'button "Inner"') });
    await world.call("type", { site, ref: refOf(snapshot, 'textbox "Name"'), text: "Amy" });
    await world.call("select", { site, ref: refOf(snapshot, 'combobox "Size"'), values: ["large"] });
    const after = await world.call("snapshot", { site });
    expect(after.text).toContain("more was shown");
    expect(after.text).toContain('button "pressed"');
    expect(after.text).toMatch(/textbox "Name" \[ref=e\d+\]: Amy/);
    expect(after.text).toContain('option "large" [selected]');
    expect(refOf(after, 'textbox "Name"')).toBe(refOf(snapshot, 'textbox "Name"'));
  });

  test("[BR5] links are clicked, and there is a way back; words are read as Markdown", async () => {
    await using server = await servePages(PAGES);
    await using world = await openBrowserTools();
    const { site } = server;
    const snapshot = await world.open(`${site}/`);
    const about = await world.call("click", { site, ref: refOf(snapshot, 'link "About us"') });
    expect(about).toMatchObject({ url: `${site}/about`, title: "About" });
    const read = await world.call("extract", { site });
    expect(read.text).toBe(`## About\n\nWe sell [shoes](${site}/).`);
    expect(await world.call("back", {})).toMatchObject({ url: `${site}/` });
    expect((await world.call("press", { site, key: "End" })).site).toBe(site);
    expect(world.progress).toContain(`Opening ${site}/`);
    expect(world.progress).toContain('Clicking link "About us"');
  });

  test("[BR5] a text is waited for until it is there, or is gone", async () => {
    await using server = await servePages({
      "/": `<p id="a">working</p><script>setTimeout(() => { a.textContent = "finished" }, 50)</script>`,
    });
    await using world = await openBrowserTools({ limits: { waitMs: 2_000 } });
    const { site } = server;
    await world.open(`${site}/`);
    await world.call("wait", { site, text: "finished" });
    await world.call("wait", { site, gone: "working" });
    await expect(world.call("wait", { site, text: "never" })).rejects.toMatchObject({
      code: "page_failed",
      message: "After 2000 ms, “never” is not on the page",
    });
  });

  test("[BR5] a picture of the page is an attachment", async () => {
    await using server = await servePages({ "/": `<div style="height: 50000px">tall</div>` });
    await using world = await openBrowserTools();
    const { site } = server;
    await world.open(`${site}/`);
    await world.call("screenshot", { site });
    const shot = await world.call("screenshot", { site, fullPage: true });
    expect(shot).toMatchObject({ blobId: "b".repeat(64), mimeType: "image/png" });
    const sizes = world.attached.map(({ bytes }) =>
      new DataView(bytes.buffer, bytes.byteOffset).getUint32(20),
    );
    expect(sizes).toEqual([900, 10_000]);
  });

  test("[BR5] popups are tabs, which can be shown and closed", async () => {
    await using server = await servePages({
      ...PAGES,
      "/": `<button type="button" onclick="window.open('/about')">Open</button>`,
    });
    await using world = await openBrowserTools();
    const { site } = server;
    const snapshot = await world.open(`${site}/`);
    const { notes } = await world.call("click", { site, ref: refOf(snapshot, 'button "Open"') });
    expect(notes).toContain("The page opened another tab: tab 2.");
    expect(await world.call("tabs", {})).toEqual([
      { tab: 1, url: `${site}/`, isActive: true },
      { tab: 2, url: `${site}/about`, isActive: false },
    ]);
    expect(await world.call("showTab", { tab: 2 })).toMatchObject({ title: "About" });
    expect(await world.call("closeTab", { tab: 2 })).toEqual([{ tab: 1, url: `${site}/`, isActive: true }]);
  });

  test("[BR7] a file is saved into the workspace, from a link or an address, and never over another", async () => {
    await using server = await servePages({
      "/": `<a href="/report">Report</a>`,
      "/report": (_, response) =>
        response
          .writeHead(200, {
            "content-disposition": "attachment; filename*=UTF-8''..%2F..%2Fetc%2Fpass%20wd%E2%80%AE.txt",
          })
          .end("numbers"),
      "/shown": "<p>a page that is shown</p>",
    });
    await using world = await openBrowserTools();
    const { site } = server;
    const snapshot = await world.open(`${site}/`);
    const first = await world.call("download", { site, ref: refOf(snapshot, 'link "Report"') });
    expect(first.path).toMatch(/^downloads\/[^/]+\.txt$/);
    const second = await world.call("download", { site, url: `${site}/report` });
    expect(second.path).toBe(first.path.replace(".txt", "-2.txt"));
    const signal = new AbortController().signal;
    expect(await world.workspace.readText(second.path, signal)).toBe("numbers");
    const page = await world.call("download", { site, url: `${site}/shown`, folder: "pages" });
    expect(await world.workspace.readText(page.path, signal)).toBe("<p>a page that is shown</p>");
    expect((await world.workspace.list("", signal)).map(({ name }) => name)).toEqual(["downloads", "pages"]);
  });
});
