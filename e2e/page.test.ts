import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createRedactor } from "@deputy/policy/secrets";
import { stripTypes } from "@deputy/codemode/node/strip-types";
import {
  type ApprovalDesk,
  createAgentRegistry,
  createLogApprovalDesk,
  createLogGrantsDesk,
} from "@deputy/agent";
import { createLogSessionService } from "@deputy/agent/sessions";
import { createGateway } from "@deputy/gateway";
import { createIdSource, createSystemClock, type IdSource } from "@deputy/kit";
import type { EventLog } from "@deputy/protocol";
import { createConversationQueue, createLogTaskService, type TaskWork } from "@deputy/tasks";
import { createMemoryBlobStore, createMemoryEventLog, createMemoryTextFolder } from "@deputy/testing";
import { loadPageFiles } from "@deputy/web/files";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { launchChromium, noBrowser } from "./chromium.ts";

const TOKEN = "the-token-of-this-test";
const PAYLOAD =
  "<img src=x onerror=alert(1)><script>alert(2)</script><svg onload=alert(3)></svg>" +
  "[link](javascript:alert(4)) ![picture](https://evil.example/seen.png) <a href=javascript:alert(5)>x</a>";
const PROGRAM = `const issues = await tools.tracker.list({ state: "open" });\nawait tools.mail.send({ to: "ada@example.org" });`;

/** Writes a program, asks once, reports, and answers; every step as it would stand in a real log. */
function scriptWork(log: EventLog, ids: IdSource, desk: ApprovalDesk): TaskWork {
  return async ({ stream, turnId, agentId }, signal) => {
    const [cellId, callId] = [ids.next("cell"), ids.next("call")];
    const preview = {
      title: "Send a mail to ada@example.org",
      details: "The address came from your message.",
    };
    const input = { to: "ada@example.org", subject: "Weekly\u202Etxt.exe", body: PAYLOAD };
    const call = { toolPath: "mail.send", input, preview };
    const program = { cellId, language: "typescript", code: PROGRAM, sha256: "0".repeat(64) } as const;
    await log.append(stream, [
      { type: "turn.started", turnId, data: { agentId, model: "rehearsal/tour" } },
      { type: "cell.submitted", turnId, data: program },
      {
        type: "approval.requested",
        turnId,
        data: { ...call, approvalId: callId, bindingHash: "0".repeat(64) },
      },
    ]);
    const answer = await desk.wait(callId, signal).catch(() => undefined);
    if (answer === undefined) return { kind: "aborted" };
    const status = answer.decision === "approved" ? "succeeded" : "denied";
    const result = { callId, cellId, toolPath: "mail.send", status, preview: `Result: ${PAYLOAD}` } as const;
    const text = `The mail was ${answer.decision}. ${PAYLOAD}`;
    await log.append(stream, [
      { type: "call.settled", turnId, data: { ...result, attachments: [], labels: [], durationMs: 12 } },
      { type: "assistant.message", turnId, data: { itemId: ids.next("item"), text } },
    ]);
    return { kind: "completed" };
  };
}

/** Everything but the model: its part is played by the script above. */
async function startDeputy() {
  const clock = createSystemClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  const life = new AbortController();
  const bugs: unknown[] = [];
  const onBug = (error: unknown): void => void bugs.push(error);
  const approvals = createLogApprovalDesk({ log, clock, ids, redactor: createRedactor([]) });
  const work = scriptWork(log, ids, approvals);
  const tasks = createLogTaskService({ log, ids, work, onBug, signal: life.signal });
  const sessions = createLogSessionService({ log, ids });
  const nobody = () => Promise.reject(new Error("Nobody stops a turn here"));
  const turns = { run: work, stop: nobody, giveUp: nobody };
  const conversations = createConversationQueue({ log, ids, turns, sessions, onBug, signal: life.signal });
  const settings = { defaultAgent: "main", forAll: {}, bySlug: new Map() };
  const agents = createAgentRegistry({ folder: createMemoryTextFolder({}), settings, shelvesOf: () => [] });
  const page = await loadPageFiles({ stripTypes });
  let token = TOKEN;
  const listen = async (port: number) => {
    const gateway = createGateway({
      log,
      tasks,
      approvals,
      grants: createLogGrantsDesk({ log, clock }),
      agents,
      defaultAgent: "main",
      sessions,
      conversations,
      blobs: createMemoryBlobStore(),
      hooks: () => [],
      inbox: { accept: () => Promise.reject(new Error("There are no hooks")) },
      clock,
      token: () => token,
      version: "0.0.0",
      page,
      host: "127.0.0.1",
      port,
      limits: { heartbeatMs: 100 },
      onBug,
    });
    return { gateway, ...(await gateway.listen(life.signal)) };
  };
  let running = await listen(0);
  const { url } = running;
  onTestFinished(async () => {
    await running.gateway.close();
    life.abort();
    await tasks[Symbol.asyncDispose]();
    await conversations[Symbol.asyncDispose]();
    expect(bugs).toEqual([]);
  });
  return {
    url,
    tasks,
    changeToken(next: string) {
      token = next;
    },
    async restartGateway() {
      await running.gateway.close();
      running = await listen(Number(new URL(url).port));
    },
  };
}

describe.skipIf(noBrowser)("the page in a real browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  /** A fresh tab on a fresh gateway; whatever the browser complains about is in `complaints`. */
  async function setup(options: Parameters<Browser["newContext"]>[0] = {}) {
    const deputy = await startDeputy();
    const context = await browser.newContext(options);
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const complaints: string[] = [];
    const outside: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("dialog", (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(deputy.url) && !request.url().startsWith("data:"))
        outside.push(request.url());
    });
    await page.goto(deputy.url);
    return { ...deputy, page, complaints, outside };
  }

  async function signIn(page: Page): Promise<void> {
    await page.getByLabel("Token").fill(TOKEN);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByLabel("New task").waitFor();
  }

  async function startTask(page: Page, prompt: string): Promise<Locator> {
    await page.getByLabel("New task").fill(prompt);
    await page.getByRole("button", { name: "Start" }).click();
    const card = page.getByRole("region", { name: "Send a mail to ada@example.org" });
    await card.waitFor();
    return card;
  }

  test("[WB1] a wrong token is refused in words, and nothing is kept", async () => {
    const { page } = await setup();
    await page.getByLabel("Token").fill("wrong");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("This token is wrong").waitFor();
    const kept = await page.evaluate(() => [sessionStorage.length, localStorage.length, document.cookie]);
    expect(kept).toEqual([0, 0, ""]);
  });

  test("[WB1] the token is kept in this tab only, until it is refused or the user signs out", async () => {
    const { page, changeToken } = await setup();
    await signIn(page);
    await page.reload();
    await page.getByLabel("New task").waitFor();
    const elsewhere = await page.evaluate(() => [localStorage.length, document.cookie, location.href]);
    expect(elsewhere).toEqual([0, "", page.url()]);
    changeToken("another-token");
    await page.getByLabel("New task").fill("Hello");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("no longer valid").waitFor();
    changeToken(TOKEN);
    await signIn(page);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Token").waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  });

  test("[WB2] [WB3] a task is started, approved and finished, and text of others stays text (GC12)", async () => {
    const { page, complaints, outside } = await setup();
    await signIn(page);
    const card = await startTask(page, "Mail Ada the weekly report");
    await page.getByText("tools.tracker.list").waitFor();
    await card.getByText(PAYLOAD).waitFor();
    await card.getByText("U+202E").waitFor();
    await page.getByRole("navigation").getByText("needs approval").waitFor();
    await card.getByRole("button", { name: "Approve" }).click();
    await page.getByText(`Result: ${PAYLOAD}`).waitFor();
    await page.getByText(`The mail was approved. ${PAYLOAD}`).waitFor();
    await page.getByText("Finished").waitFor();
    await card.getByText("Approved").waitFor();
    await page.getByRole("navigation").getByText("done").waitFor();
    expect(
      await page
        .locator(
          '#workspace :is(img, script, svg:not(.mark), iframe, a[href*="evil"], a[href^="javascript"])',
        )
        .count(),
    ).toBe(0);
    expect([complaints, outside]).toEqual([[], []]);
  });

  test("[WB2] everything can be done with the keyboard: deny with a reason, and cancel", async () => {
    const { page, tasks } = await setup();
    await signIn(page);
    await page.keyboard.type("First");
    await page.keyboard.press("Enter");
    const card = page.getByRole("region", { name: "Send a mail to ada@example.org" });
    await card.getByLabel("Reason").focus();
    await page.keyboard.type("Not today");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText("The mail was denied.").waitFor();
    await expect.poll(() => card.evaluate((root) => document.activeElement === root)).toBe(true);

    await startTask(page, "Second");
    await page.getByRole("button", { name: "Cancel task" }).press("Enter");
    await page.getByText("Finished").waitFor();
    expect((await tasks.list()).map(({ prompt, status }) => [prompt, status])).toEqual([
      ["Second", "cancelled"],
      ["First", "succeeded"],
    ]);
  });

  test("[WB4] a lost connection is taken up again without a gap or a repeat", async () => {
    const { page, restartGateway } = await setup();
    await signIn(page);
    const card = await startTask(page, "Mail Ada");
    const before = await page.locator("#happenings > li").allTextContents();
    await restartGateway();
    await card.getByRole("button", { name: "Approve" }).click();
    await page.getByText("Finished").waitFor();
    const after = await page.locator("#happenings > li").allTextContents();
    expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
    expect(after.filter((text) => text.includes("Send a mail to"))).toHaveLength(1);
    expect(new Set(after).size).toBe(after.length);
  });

  test.each(["light", "dark"] as const)("[WB5] it fits 360 pixels, in %s", async (colorScheme) => {
    const { page, complaints } = await setup({ colorScheme, viewport: { width: 360, height: 740 } });
    await signIn(page);
    await startTask(page, `Mail Ada ${"without-any-blank".repeat(20)}`);
    const [width, background] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      getComputedStyle(document.body).backgroundColor,
    ]);
    expect(width).toBe(360);
    expect(background).toBe(colorScheme === "light" ? "rgb(246, 246, 244)" : "rgb(22, 23, 27)");
    expect(complaints).toEqual([]);
  });

  test.each([
    "?gatewayUrl=WS&url=HTTP&server=HTTP&host=HOST&api=HTTP&baseUrl=HTTP",
    "#gatewayUrl=WS&url=HTTP",
    "#HTTP/",
    "#/connect?gatewayUrl=WS&token=stolen",
    "?redirect=HTTP&next=//HOST/&callback=javascript:alert(1)",
    "?a=1#<img src=HTTP/x onerror=alert(1)>",
  ])(
    "[WB6] an address that names another server is served like any other, before and after signing in: %s (GC10)",
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
      const { page, url, outside } = await setup();
      await page.goto(`${url}/${deep}`);
      await signIn(page);
      await page.goto(`${url}/${deep}`);
      await page.reload();
      await page.getByText("Say what you want done").waitFor();
      await startTask(page, "Mail Ada");
      expect([outside, heard]).toEqual([[], []]);
    },
  );

  test("[WB6] a task, an approval or an answer that names another server leads nowhere either (GC10)", async () => {
    const { page, outside } = await setup();
    await signIn(page);
    await startTask(page, "Use gatewayUrl=wss://evil.example and open https://evil.example/?token=x");
    expect(await page.locator("a[href*='evil']").count()).toBe(0);
    expect(outside).toEqual([]);
  });
});
