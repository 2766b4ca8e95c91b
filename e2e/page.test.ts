import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { launchChromium, noBrowser } from "./chromium.ts";
import { openSignedIn, openTab, type PageDaemon, say, signIn, startPageDaemon } from "./page-world.ts";
import { jsonLines, runDeputy, scratchDirectory, TOKEN } from "./run-deputy.ts";

const PAYLOAD =
  "<img src=x onerror=alert(1)><script>alert(2)</script><svg onload=alert(3)></svg>" +
  "[link](javascript:alert(4)) ![picture](https://evil.example/seen.png) <a href=javascript:alert(5)>x</a>";

describe.skipIf(noBrowser)("signing in, and text of others", () => {
  let browser: Browser;
  let world: PageDaemon;
  beforeAll(async () => {
    [browser, world] = await Promise.all([launchChromium(), startPageDaemon()]);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.[Symbol.asyncDispose]();
  });
  const url = (): string => world.daemon().url;

  test("[WB1] refuses a wrong token with a message, and keeps nothing", async () => {
    const { page } = await openTab(browser, url());
    await page.getByLabel("Token").fill("wrong");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("This token is wrong").waitFor();
    const kept = await page.evaluate(() => [sessionStorage.length, localStorage.length, document.cookie]);
    expect(kept).toEqual([0, 0, ""]);
  });

  test("[WB1] keeps a session and never the token; other tabs are signed in too, until the user signs out", async () => {
    const { page } = await openSignedIn(browser, url());
    await page.reload();
    await page.getByLabel("Message", { exact: true }).waitFor();
    const kept = await page.evaluate(() =>
      JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage), location.href]),
    );
    expect(kept).not.toContain(TOKEN);
    expect(await page.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, ""]);
    const second = await page.context().newPage();
    await second.goto(url());
    await second.getByLabel("Message", { exact: true }).waitFor();
    await page.goto(`${url()}/#/settings/browser`);
    await page.getByRole("button", { name: /^Sign out .*, this browser$/ }).click();
    await page.getByLabel("Token").waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  });

  test("[WB1] a link of `deputy open` signs in once; used again, it says how to get another", async () => {
    const env = { DEPUTY_TOKEN: TOKEN };
    const { stdout } = await runDeputy(["open", "--json", "--home", world.home], { env });
    const { url: link } = jsonLines(stdout)[0] as { url: string };
    const first = await openTab(browser, link);
    await first.page.getByLabel("Message", { exact: true }).waitFor();
    expect(first.page.url()).toBe(`${url()}/#/`);
    const second = await openTab(browser, link);
    await second.page.getByRole("alert").getByText("deputy open").waitFor();
  });

  test("[WB1] where nothing opens links, `deputy open` prints the link", async () => {
    using bin = scratchDirectory();
    const opener = process.platform === "darwin" ? "open" : "xdg-open";
    writeFileSync(join(bin.path, opener), "#!/bin/sh\nexit 3\n", { mode: 0o755 });
    const env = { DEPUTY_TOKEN: TOKEN, PATH: `${bin.path}:${process.env["PATH"] ?? ""}` };
    const ran = await runDeputy(["open", "--home", world.home], { env, process: "own" });
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toContain(`${url()}/#sign-in=`);
  });

  test("[WB1] a session that the daemon refuses ends with a message", async () => {
    const { page } = await openTab(browser, url());
    await page.evaluate(() => sessionStorage.setItem("deputy.session", "dps.AAAAAAAAAAAAAAAA.zzzzzzzz.no"));
    await page.reload();
    await page.getByRole("alert").getByText("no longer valid").waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  });

  test("[WB3] what a model writes stays text, with hidden characters named (GC12)", async () => {
    const { page, complaints, outside } = await openSignedIn(browser, url());
    await say(page, "Pay \u202Efdp.ecioni\u202C now\u200B\u{E0041}");
    const answering = await world.model.asked();
    answering.write(`Here it is: ${PAYLOAD} and 👩‍💻 too.\n\n[a list](https://example.org/x)\n\n- one\n`);
    answering.end();
    await page.getByRole("link", { name: "a list" }).waitFor();
    const log = page.getByRole("log");
    await log.getByText("U+202E").waitFor();
    await log.getByText("U+E0041").waitFor();
    const shown = (await page.locator("body").textContent()) ?? "";
    expect(shown).toContain("<img src=x onerror=alert(1)>");
    expect(shown).toContain("👩‍💻");
    expect(shown).toContain("(example.org)");
    expect(shown).not.toMatch(/[\u200B\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/u);
    const live = 'main :is(img, script, iframe, a[href*="evil"], a[href^="javascript"])';
    expect(await page.locator(live).count()).toBe(0);
    expect([complaints, outside]).toEqual([[], []]);
  });

  test.each([
    "?gatewayUrl=WS&url=HTTP&server=HTTP&host=HOST&api=HTTP&baseUrl=HTTP",
    "#gatewayUrl=WS&url=HTTP",
    "#HTTP/",
    "#/connect?gatewayUrl=WS&token=stolen",
    "?redirect=HTTP&next=//HOST/&callback=javascript:alert(1)",
    "?a=1#<img src=HTTP/x onerror=alert(1)>",
  ])(
    "[WB6] treats an address that names another server like any other, before and after signing in: %s (GC10)",
    async (link) => {
      const heard: string[] = [];
      const evil = createServer((request, response) => {
        heard.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
        response.writeHead(200, { "access-control-allow-origin": "*" }).end("{}");
      });
      evil.on("upgrade", (request, socket) => {
        heard.push(`upgrade ${request.url}`);
        socket.destroy();
      });
      evil.on("connection", () => heard.push("connection"));
      evil.listen(0, "127.0.0.1");
      await once(evil, "listening");
      onTestFinished(() => void evil.close());
      const host = `127.0.0.1:${(evil.address() as AddressInfo).port}`;
      const deep = link
        .replaceAll("WS", `ws://${host}`)
        .replaceAll("HTTP", `http://${host}`)
        .replaceAll("HOST", host);
      const { page, outside } = await openTab(browser, url());
      await page.goto(`${url()}/${deep}`);
      await signIn(page);
      await page.goto(`${url()}/${deep}`);
      await page.reload();
      await page.getByText("What should Deputy do?").waitFor();
      expect([outside, heard]).toEqual([[], []]);
    },
  );
});
