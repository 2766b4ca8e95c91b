import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import {
  createFakeAnthropic,
  createFakeResponses,
  FAKE_KEY,
  openFakeModelServer,
  say,
} from "@deputy/testing";
import { describe, expect, test } from "vitest";
import { noBrowser } from "./chromium.ts";
import {
  jsonLines,
  runDeputy,
  scratchDirectory,
  startDaemon,
  startDeputy,
  TOKEN,
  waitForOutput,
} from "./run-deputy.ts";

const PAGE = `<!doctype html><title>Library</title><h1>Library</h1>
<button type="button" onclick="list.hidden = false">Show files</button>
<ul id="list" hidden><li><a href="/numbers.csv">Numbers</a></li></ul>
<form method="post" action="/order"><button>Order</button></form>`;

/** A site, and a home whose settings allow it or not. */
async function setup(allows: "site" | "nothing") {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const isFile = request.url === "/numbers.csv";
    response.writeHead(200, { "content-type": isFile ? "text/csv" : "text/html" });
    response.end(isFile ? "1,2,3\n" : PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const scratch = scratchDirectory();
  const home = join(scratch.path, "home");
  mkdirSync(home, { mode: 0o700 });
  mkdirSync(join(scratch.path, "notes"));
  const config = {
    tools: { browser: { path: "/usr/bin/chromium", allow: allows === "site" ? [site] : [] } },
  };
  writeFileSync(join(home, "config.json"), JSON.stringify(config));
  await runDeputy(["workspace", "import", join(scratch.path, "notes"), "--home", home]);
  const exec = (code: string, approve: "all" | "none") =>
    runDeputy(["exec", "-", "--json", "--approve", approve, "--home", home], { input: code });
  return {
    site,
    asked,
    home,
    exec,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      scratch[Symbol.dispose]();
    },
  };
}

describe.skipIf(noBrowser)("the browser tool of the real program", () => {
  test("[E250] a program opens a page, looks, clicks and saves a file and a picture", async () => {
    await using world = await setup("site");
    const { code, stdout, stderr } = await world.exec(
      `
const site = ${JSON.stringify(world.site)};
await tools.browser.navigate({ url: site + "/" });
const refOf = (text: string, name: string): string =>
  /\\[ref=([a-z\\d]+)\\]/.exec(text.split("\\n").find((line) => line.includes(name)) ?? "")?.[1] ?? "";
const first = await tools.browser.snapshot({ site });
await tools.browser.click({ site, ref: refOf(first.text, 'button "Show files"') });
const second = await tools.browser.snapshot({ site });
const saved = await tools.browser.download({ site, ref: refOf(second.text, 'link "Numbers"') });
const { content } = await tools.files.read({ path: saved.path });
const picture = await tools.browser.screenshot({ site });
return { title: first.title, saved, content, blobId: picture.blobId };
`,
      "none",
    );
    expect({ code, stderr }, stdout).toMatchObject({ code: 0 });
    const { blobId } = /"blobId":"(?<blobId>[0-9a-f]{64})"/.exec(stdout)?.groups ?? {};
    expect(stdout).toContain('"saved":{"path":"downloads/numbers.csv","bytes":6}');
    expect(stdout).toContain(String.raw`"content":"1,2,3\n"`);
    const png = readFileSync(blobFile(world.home, blobId ?? ""));
    expect(png.subarray(1, 4).toString()).toBe("PNG");
    expect(statSync(join(world.home, "browser")).mode & 0o777).toBe(0o700);
    for (const profile of readdirSync(join(world.home, "browser")))
      expect(existsSync(join(world.home, "browser", profile, "SingletonLock")), "it has ended").toBe(false);
  });

  test("[E250] a site and a submit wait for a yes; without one, nothing is opened or sent", async () => {
    await using world = await setup("nothing");
    const program = `
const site = ${JSON.stringify(world.site)};
await tools.browser.allowSite({ site });
await tools.browser.navigate({ url: site + "/" });
const { text } = await tools.browser.snapshot({ site });
const ref = /\\[ref=([a-z\\d]+)\\]/.exec(text.split("\\n").find((line) => line.includes("Order")) ?? "")?.[1] ?? "";
await tools.browser.click({ site, ref }).catch((error) => console.log("click:", error.message));
await tools.browser.submit({ site, ref, element: 'button "Order"' });
`;
    expect(await world.exec(program, "none")).toMatchObject({ code: 3 });
    expect(world.asked).toEqual([]);
    const { code, stdout } = await world.exec(program, "all");
    expect(code, stdout).toBe(0);
    expect(stdout).toContain("submits a form");
    expect(world.asked.filter((line) => !line.includes("favicon"))).toEqual(["GET /", "POST /order"]);
    const questions = jsonLines(stdout).filter(({ type }) => type === "approval_request");
    expect(questions.map(({ toolPath }) => toolPath)).toEqual(
      expect.arrayContaining(["browser.allowSite", "browser.submit"]),
    );
  });

  test.each([
    [
      "anthropic/claude-sonnet-5",
      createFakeAnthropic,
      '"type":"image","source":{"type":"base64","media_type":"image/png","data":"',
    ],
    ["openai/gpt-6-sol", createFakeResponses, '"image_url":"data:image/png;base64,'],
  ] as const)("[E773] a screenshot is in the next request to %s", async (name, createWire, before) => {
    await using world = await setup("site");
    await using fake = await openFakeModelServer(createWire());
    const code = `const site = ${JSON.stringify(world.site)};
await tools.browser.navigate({ url: site + "/" });
return await tools.browser.screenshot({ site });`;
    fake.play({
      kind: "answer",
      answer: { parts: [{ kind: "tool_call", name: "run_code", input: { code } }] },
    });
    fake.play(say("A library."));
    const env = {
      DEPUTY_MODEL: name,
      ANTHROPIC_API_KEY: FAKE_KEY,
      ANTHROPIC_BASE_URL: fake.origin,
      OPENAI_API_KEY: FAKE_KEY,
      OPENAI_BASE_URL: `${fake.origin}/v1`,
      DEPUTY_LOCAL_BASE_URL: fake.origin,
    };
    const run = await runDeputy(["run", `What is on ${world.site}?`, "--json", "--home", world.home], {
      env,
    });
    expect(run, run.stderr).toMatchObject({ code: 0 });
    expect(fake.requests).toHaveLength(2);
    const raw = fake.requests[1]?.raw ?? "";
    expect(raw).toMatch(/\[picture \\"127\.0\.0\.1\.png\\", \d+x\d+, PNG, \d+ kB\]/);
    const base64 = raw.slice(raw.indexOf(before) + before.length).split('"', 1)[0] ?? "";
    const [, blobId = ""] = /blobId\\*":\\*"([0-9a-f]{64})/.exec(raw) ?? [];
    expect(Buffer.from(base64, "base64").equals(readFileSync(blobFile(world.home, blobId)))).toBe(true);
  });

  test("[E251] a killed daemon takes its browser along", async () => {
    await using world = await setup("site");
    await using daemon = await startDaemon(world.home);
    const program = `
const site = ${JSON.stringify(world.site)};
await tools.browser.navigate({ url: site + "/" });
await tools.browser.wait({ site, ms: 30_000 });
`;
    const env = { DEPUTY_TOKEN: TOKEN };
    const client = startDeputy(["exec", "-", "--json", "--home", world.home], { env, input: "" });
    client.stdin?.end(program);
    await waitForOutput(client, "Waiting for 30000 ms");
    const pid = browserOf(world.home);
    expect(isRunning(pid)).toBe(true);
    await daemon.end("SIGKILL");
    await expect.poll(() => isRunning(pid), { timeout: 30_000 }).toBe(false);
    client.kill("SIGKILL");
  });
});

/** Wherever the store keeps it. */
function blobFile(home: string, blobId: string): string {
  const found = readdirSync(join(home, "blobs"), { recursive: true, encoding: "utf8" }).find((name) =>
    name.replaceAll("/", "").endsWith(blobId),
  );
  return join(home, "blobs", found ?? "");
}

/** The process that has the only profile open. */
function browserOf(home: string): number {
  const [profile = ""] = readdirSync(join(home, "browser"));
  return Number(
    readlinkSync(join(home, "browser", profile, "SingletonLock"))
      .split("-")
      .at(-1),
  );
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
