import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { noBrowser, openBrowserTools, refOf, servePages } from "./browser.fixture.ts";
import { hostileScript } from "./hostile-senders.fixture.ts";

const toThisMachine = async () => [{ address: "127.0.0.1", family: 4 }];
const SEEDS = Number(process.env["DEPUTY_BROWSER_SEEDS"] ?? 8);

/** Sites of the web, and two of the user's own network, of which one is allowed. */
async function setup() {
  const paid: string[] = [];
  const pay = (request: IncomingMessage, response: ServerResponse): void => {
    let body = "";
    request.on("data", (chunk) => void (body += String(chunk)));
    request.on("end", () => {
      if (request.method === "POST") paid.push(body);
      response.writeHead(200, { "content-type": "text/html" }).end("<title>Paid</title>");
    });
  };
  const script = (code: string) => (_: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(200, { "content-type": "text/html" }).end(`<body><script>${code}</script>`);
  const run = (request: IncomingMessage, response: ServerResponse): void =>
    script(decodeURIComponent((request.url ?? "").split("?")[1] ?? ""))(request, response);
  const redirect = (request: IncomingMessage, response: ServerResponse): void =>
    void response
      .writeHead(307, { location: decodeURIComponent((request.url ?? "").split("?")[1] ?? "") })
      .end();
  const router = await servePages({});
  const closed = await servePages({});
  const bank = await servePages({});
  const evil = await servePages({ "/run": run, "/redirect": redirect });
  let hostile = "";
  const shop = await servePages({
    "/": (_, response) =>
      void response.writeHead(200, { "content-type": "text/html" }).end(`<title>Shop</title>
<form id="pay" method="post" action="/pay"><input name="amount" value="5"><input type="hidden" name="account" value="mine">
<button>Pay</button></form><iframe name="inner"></iframe><button type="button" id="go">Begin</button>
<script>go.addEventListener("click", () => { ${hostile} }, { once: true })</script>`),
    "/pay": pay,
    "/redirect": redirect,
  });
  const named = (name: string, { port }: { readonly port: number }) => `http://${name}.example:${port}`;
  const sites = { bank: named("bank", bank), evil: named("evil", evil), shop: named("shop", shop) };
  const world = await openBrowserTools({
    allow: Object.values(sites),
    resolve: toThisMachine,
    limits: { navigateMs: 5_000, loadMs: 1_000, settleMs: 1_000, actionMs: 8_000, elementMs: 4_000, tabs: 3 },
  });
  await world.call("allowSite", { site: router.site });
  const targets = [
    `${sites.bank}/steal`,
    `${sites.shop}/steal`,
    `${sites.shop}/pay`,
    `${router.site}/reboot`,
    `${closed.site}/steal`,
    `${sites.evil}/redirect?${encodeURIComponent(`${sites.bank}/steal`)}`,
    `${sites.shop}/redirect?${encodeURIComponent(`${router.site}/reboot`)}`,
  ];
  return {
    ...world,
    site: sites.shop,
    paid,
    bank,
    shop,
    router,
    closed,
    set: (seed: number) => (hostile = hostileScript(seed, sites.evil, targets)),
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      for (const server of [router, closed, bank, evil, shop]) await server[Symbol.asyncDispose]();
    },
  };
}

const changes = ({ asked }: { readonly asked: readonly string[] }) =>
  asked.filter((line) => !/^(?:GET|HEAD|OPTIONS) /.test(line));

describe.skipIf(noBrowser)("pages that try to send by every means", () => {
  test(`[BR14] of ${SEEDS} pages none sends anything but the form that was approved, or leads anywhere inside`, async () => {
    await using world = await setup();
    const { site } = world;
    let sent = 0;
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const script = world.set(seed);
      world.paid.length = 0;
      await world.call("navigate", { url: `${site}/` });
      const shown = await world.call("snapshot", { site });
      const element = 'button "Pay"';
      const order = { site, ref: refOf(shown, element), element };
      // The user looks at it, and then the page begins.
      const look = await world.browsers
        .of("session")
        .lookAtSubmit({ ...order, to: [], by: "form" }, "key", "circumstances");
      expect(look?.target?.action, script).toBe(`${site}/pay`);
      await world.call("click", { site, ref: refOf(shown, 'button "Begin"') }).catch(() => undefined);
      await world.call("submit", order).catch(() => undefined);
      expect(["", "amount=5&account=mine"], script).toContain(world.paid.join());
      sent += world.paid.length;
      expect(changes(world.bank), script).toEqual([]);
      expect(
        changes(world.shop).filter((line) => line !== "POST /pay"),
        script,
      ).toEqual([]);
      expect(changes(world.shop).length, script).toBe(sent);
      expect([...world.router.asked, ...world.closed.asked], script).toEqual([]);
      const tabs = (await world.call("tabs", {})) as unknown as readonly { readonly tab: number }[];
      for (const { tab } of tabs.slice(1).toReversed())
        await world.call("closeTab", { tab }).catch(() => undefined);
      await world.call("showTab", { tab: 1 }).catch(() => undefined);
    }
    // Not because nothing works.
    expect(sent).toBeGreaterThan(SEEDS / 4);
  });
});
