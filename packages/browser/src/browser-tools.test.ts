import { expect, test } from "vitest";
import { createCatalogue } from "@deputy/tools";
import { createWorkspaceLane } from "@deputy/workspace";
import { browserTools } from "./browser-tools.ts";

const site = "https://shop.example";

function setup() {
  const never = (): Promise<never> => Promise.reject(new Error("Nothing is called"));
  const tree = browserTools({ browsers: never, workspace: never }, createWorkspaceLane());
  const catalogue = createCatalogue([{ source: "test", tree: { browser: tree } }]);
  const tool = (name: string) => {
    const found = catalogue.get(`browser.${name}`);
    if (found === undefined) throw new Error(`There is no ${name}`);
    return found;
  };
  return { catalogue, tool };
}

test("[BR2] a site is asked about, and a yes for longer is for that site alone", async () => {
  const { tool } = setup();
  expect(tool("allowSite")).toMatchObject({
    approval: "required",
    effect: "egress",
    grantable: "input",
    critical: "all",
  });
  const { title, details } = await tool("allowSite").preview({ site: `${site}/path?q` });
  expect(title).toBe(`Open ${site} in the browser`);
  expect(details).not.toContain("network of yours");
  for (const inner of ["http://localhost:3000", "http://10.0.0.1", "http://printer"])
    expect((await tool("allowSite").preview({ site: inner })).details, inner).toContain("network of yours");
  for (const bad of ["shop.example", "file:///etc", "javascript:1", "https://me:secret@shop.example"])
    expect((await tool("allowSite").parseInput({ site: bad })).kind, bad).toBe("invalid");
});

test("[BR2] nobody is asked about a site that no yes could open", async () => {
  const { tool } = setup();
  const hosts = ["169.254.169.254", "[fe80::1]", "0.0.0.0", "[::ffff:169.254.169.254]", "2852039166"];
  for (const host of hosts)
    expect(await tool("allowSite").parseInput({ site: `http://${host}` }), host).toMatchObject({
      kind: "invalid",
      message: expect.stringMatching(/^site: is never opened: .* leads to a reserved address$/),
    });
  for (const inner of ["http://localhost:3000", "http://10.0.0.1", "http://printer"])
    expect((await tool("allowSite").parseInput({ site: inner })).kind, inner).toBe("ok");
});

test("[BR4] a submit asks every time, and the card names the element, the site and where else it goes", async () => {
  const { tool } = setup();
  const submit = tool("submit");
  expect(submit).toMatchObject({
    approval: "required",
    effect: "egress",
    grantable: "input",
    critical: "all",
  });
  const { title, details } = await submit.preview({
    site,
    ref: "e3",
    element: 'button "Buy"',
    to: ["https://pay.example"],
  });
  expect(title).toBe(`Submit with button "Buy" on ${site}`);
  expect(details).toContain("may also go to https://pay.example.");
});

test("[BR10] what is typed, and a whole address, may carry away what was read: whose words they are decides", async () => {
  const { tool } = setup();
  expect(tool("type")).toMatchObject({ approval: "auto", effect: "egress", critical: ["text"] });
  expect(tool("navigate")).toMatchObject({ approval: "auto", effect: "egress", critical: ["url"] });
  expect(tool("download")).toMatchObject({ approval: "auto", effect: "egress", critical: ["url"] });
  expect(await tool("download").termsOf?.({ site, ref: "e1", folder: "" })).toEqual({
    approval: "auto",
    effect: "write",
    critical: [],
  });
  expect(await tool("download").termsOf?.({ site, url: `${site}/`, folder: "" })).toMatchObject({
    effect: "egress",
  });
  expect((await tool("type").preview({ site, ref: "e1", text: "my secret" })).details).toContain("my secret");
  for (const name of ["click", "select", "press"])
    expect(tool(name), name).toMatchObject({ approval: "auto", effect: "write", critical: [] });
  for (const name of ["snapshot", "extract", "screenshot", "wait", "tabs"])
    expect(tool(name), name).toMatchObject({ approval: "auto", effect: "read" });
});

test("[BR10] what pages say is untrusted, and named by the site it is from", () => {
  const { tool, catalogue } = setup();
  const ours = catalogue.list().filter(({ path }) => path.startsWith("browser."));
  for (const { path, trust } of ours)
    expect(trust, path).toBe(path === "browser.allowSite" ? "trusted" : "untrusted");
  expect(tool("snapshot").sourceOf?.({ site: `${site}/` })).toBe(`browser ${site}`);
  expect(tool("navigate").sourceOf?.({ url: `${site}/path?q=1` })).toBe(`browser ${site}`);
});

test("[BR10] an input that means two things, or none, is invalid", async () => {
  const { tool } = setup();
  expect((await tool("download").parseInput({ site })).kind).toBe("invalid");
  expect((await tool("download").parseInput({ site, ref: "e1", url: `${site}/` })).kind).toBe("invalid");
  expect((await tool("wait").parseInput({ site })).kind).toBe("invalid");
  expect((await tool("wait").parseInput({ site, ms: 1, text: "x" })).kind).toBe("invalid");
  for (const ref of ["12", "e1 >> css=body", "#id", ""])
    expect((await tool("click").parseInput({ site, ref })).kind, ref).toBe("invalid");
  expect((await tool("click").parseInput({ site, ref: "f2e13" })).kind).toBe("ok");
  expect((await tool("press").parseInput({ site, key: "Control+A" })).kind).toBe("invalid");
  for (const address of ["file:///etc/passwd", "chrome://version", "shop.example"])
    expect(await tool("navigate").parseInput({ url: address }), address).toEqual({
      kind: "invalid",
      message: "url: must be a whole address; only http and https are opened",
    });
});
