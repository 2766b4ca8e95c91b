import { join } from "node:path";
import type { SessionId } from "@deputy/kit";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchChromium, noBrowser } from "./chromium.ts";
import { findViolations } from "./find-violations.ts";
import { type PageGateway, startPageGateway } from "./page-gateway.ts";
import { openSignedIn, type PageDaemon, say, startPageDaemon } from "./page-world.ts";

/** Where the pictures go; set it to keep them. */
const PICTURES = process.env["DEPUTY_PICTURES"];

const SIZES = [
  { name: "desktop", viewport: { width: 1280, height: 800 } },
  { name: "phone", viewport: { width: 390, height: 844 }, hasTouch: true },
] as const;

describe.skipIf(noBrowser)("questions on the page", () => {
  let browser: Browser;
  let world: PageDaemon;
  beforeAll(async () => {
    [browser, world] = await Promise.all([launchChromium(), startPageDaemon()]);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.[Symbol.asyncDispose]();
  });
  const open = (options = {}) => openSignedIn(browser, world.daemon().url, options);
  const log = (page: Page) => page.getByRole("log");

  /** Says something, and lets the model write a program. */
  async function runProgram(page: Page, said: string, code: string): Promise<void> {
    await say(page, said);
    (await world.model.asked()).call("run_code", { code });
  }
  /** The answer after the program. */
  async function finish(text: string): Promise<string> {
    const answering = await world.model.asked();
    const heard = JSON.stringify(answering.messages);
    answering.write(text);
    answering.end();
    return heard;
  }
  const mail = (to: string, subject: string): string =>
    `return await tools.mail.send({ to: ${JSON.stringify(to)}, subject: ${JSON.stringify(subject)} });`;

  test("[WB2] [WB3] a question shows everything as text, waits in the list and the title, and runs once approved (GC12)", async () => {
    const { page, complaints, outside } = await open();
    await runProgram(
      page,
      "Mail Ada",
      mail("ada@example.org", "Weekly\u202Etxt.exe <img src=x onerror=alert(1)>"),
    );
    const card = log(page).getByRole("region");
    await card.getByText("ada@example.org").first().waitFor();
    await card.getByText("U+202E").first().waitFor();
    await card.getByText("Why you are asked:").waitFor();
    await expect.poll(() => page.title()).toBe("(1) waits for you – Deputy");
    const icon = page.locator('link[rel="icon"]');
    expect(await icon.getAttribute("href")).toBe("/icon-waiting.svg");
    await page
      .getByRole("navigation", { name: "Conversations" })
      .getByText("Waits for you")
      .first()
      .waitFor();
    await card.getByRole("button", { name: "Approve" }).click();
    await finish("The mail is out.");
    await log(page).getByText("The mail is out.").waitFor();
    await log(page).getByText("You approved").waitFor();
    await expect.poll(() => page.title()).toBe("Deputy");
    await log(page)
      .getByRole("button", { name: /Ran a program: mail\.send/ })
      .click();
    await log(page).locator("summary").filter({ hasText: "mail.send" }).click();
    await log(page).getByText("Sent: Weekly").first().waitFor();
    expect(await page.locator("main :is(img, script)").count()).toBe(0);
    expect([complaints, outside]).toEqual([[], []]);
  });

  test("[WB2] [WB87] by keyboard alone: the card never takes the focus, Enter answers nothing, A approves, D denies with a reason that the agent hears", async () => {
    const { page } = await open();
    await runProgram(page, "Mail Bob", mail("bob@example.org", "Hi"));
    const card = log(page).getByRole("region");
    await card.getByRole("button", { name: "Approve" }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("message");
    await expect.poll(() => card.getByRole("button", { name: "Approve" }).isEnabled()).toBe(true);
    await card.focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await card.getByRole("button", { name: "Approve" }).waitFor();
    await page.keyboard.press("d");
    await page.keyboard.type("Not to Bob, please");
    await page.keyboard.press("Enter");
    const heard = await finish("I will not.");
    expect(heard).toContain("Not to Bob, please");
    await log(page).getByText("You denied").waitFor();
    await runProgram(page, "Mail Carl", mail("carl@example.org", "Hi"));
    await expect
      .poll(() =>
        card
          .getByRole("button", { name: "Approve" })
          .isEnabled()
          .catch(() => false),
      )
      .toBe(true);
    await card.focus();
    await page.keyboard.press("a");
    await finish("Sent to Carl.");
    await log(page).getByText("Sent to Carl.").waitFor();
    // The card has gone, and the focus with it would be nowhere.
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("message");
  });

  test("[WB7] what is granted is listed in words, and one click takes it back", async () => {
    const { page } = await open();
    await runProgram(page, "Note it", `return await tools.notes.note({ text: "milk" });`);
    const card = log(page).getByRole("region");
    await card.getByLabel("What approving allows").selectOption("session-any");
    await card
      .getByText("Approve, and don’t ask again, whatever the values, for notes.note in this conversation.")
      .waitFor();
    await card.getByRole("button", { name: "Approve" }).click();
    await finish("Noted.");
    await log(page).getByText("Noted.", { exact: true }).waitFor();
    const banner = page.locator(".wide-grants");
    await banner.getByText("notes.note").waitFor();
    // A second one is another permission, and still one line above what is read.
    await page.getByRole("link", { name: "New conversation" }).click();
    await runProgram(page, "Note it here, too", `return await tools.notes.note({ text: "tea" });`);
    await card.getByLabel("What approving allows").selectOption("session-any");
    await card.getByRole("button", { name: "Approve" }).click();
    await finish("Noted there.");
    await banner.getByText("2 permissions").waitFor();
    expect(await banner.locator(".line").count()).toBe(1);
    await page.goto(`${world.daemon().url}/#/approvals`);
    const granted = page.getByRole("region", { name: "What you allowed" });
    const allowed = granted.getByText("this tool for this conversation, whatever the values");
    await expect.poll(() => allowed.count()).toBe(2);
    await granted.getByRole("button", { name: "Take back all 2" }).click();
    await granted.getByText("Nothing is allowed beyond single calls.").waitFor();
    await banner.waitFor({ state: "detached" });
  });

  test("[WB11] answered elsewhere, a card says so in its place, and no other question moves under the pointer", async () => {
    const { page } = await open();
    await runProgram(page, "Mail Dora", mail("dora@example.org", "Hi"));
    await log(page).getByRole("region").waitFor();
    const other = await page.context().newPage();
    await other.goto(`${world.daemon().url}/#/approvals`);
    const card = other.getByRole("region").filter({ hasText: "dora@example.org" });
    await card.waitFor();
    await log(page).getByRole("button", { name: "Approve" }).click();
    await finish("Done with Dora.");
    // First that it was answered, and a moment later by whom and when.
    await other
      .locator(".question .decided")
      .getByText(/^You approved · /)
      .waitFor();
    expect(await card.count()).toBe(0);
  });

  test("[WB2] a question that is moved in the document while it is being read can be answered all the same", async () => {
    const { page } = await open();
    await runProgram(page, "Mail Emil", mail("emil@example.org", "Hi"));
    const card = page.locator("approval-card");
    await card.waitFor();
    await card.evaluate((element) => {
      const place = element.parentElement;
      element.remove();
      place?.append(element);
    });
    await log(page).getByRole("button", { name: "Approve" }).click();
    await finish("Done with Emil.");
    await log(page).getByText("Done with Emil.").waitFor();
  });

  test.each(SIZES)(
    "[WB11] a plan of 100 calls fits one screen of a $name with its buttons, and one click decides it",
    async ({ name, viewport, ...options }) => {
      await using gateway = await startPageGateway();
      const stream = await appendPlan(gateway);
      const { page } = await openSignedIn(browser, gateway.url, { viewport, ...options });
      await page.goto(`${gateway.url}/#/c/${stream}`);
      const card = log(page).getByRole("region");
      const approve = card.getByRole("button", { name: "Approve 100" });
      await approve.waitFor();
      // Whatever stands above the conversation, as while something is allowed whatever the values.
      await page.locator(".middle").evaluate((middle) => {
        const line = document.createElement("p");
        line.className = "line";
        line.style.setProperty("flex", "0 0 96px");
        middle.prepend(line);
      });
      if (PICTURES !== undefined) {
        await expect.poll(() => approve.isEnabled()).toBe(true);
        await page.screenshot({ path: join(PICTURES, `${name}-light-plan.png`) });
      }
      const box = await card.boundingBox();
      const above = await page.locator(".page-head").boundingBox();
      expect(box?.y).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0));
      const button = await approve.boundingBox();
      expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThan(viewport.height);
      // What sends stands first, in sight.
      expect(await card.locator(".group").first().textContent()).toContain("odd@example.org");
      expect(await card.getByText("odd@example.org").first().isVisible()).toBe(true);
      // However long the reason is: it is cut after two lines, and a click shows the rest.
      const inSight = await card.locator(".groups").evaluate((groups) => {
        const { top, bottom } = groups.getBoundingClientRect();
        const rows = [...groups.querySelectorAll(".calls > li")].map((row) => row.getBoundingClientRect());
        return rows.filter((row) => row.height > 0 && row.top >= top && row.bottom <= bottom).length;
      });
      expect(inSight).toBeGreaterThanOrEqual(2);
      const why = card.locator(".why");
      const short = (await why.boundingBox())?.height ?? 0;
      await why.locator("summary").click();
      await expect.poll(async () => (await why.boundingBox())?.height).toBeGreaterThan(short);
      expect((await approve.boundingBox())?.y).toBeLessThan(viewport.height - 40);
      await why.locator("summary").click();
      await card
        .getByRole("checkbox", { name: /Number 2\b/ })
        .first()
        .uncheck();
      await card.getByRole("button", { name: "Approve 99 of 100" }).click();
      await log(page).getByText("You approved 99 of 100").waitFor();
      const answers = (await Array.fromAsync(gateway.log.read(stream))).filter(
        ({ type }) => type === "approval.resolved",
      );
      expect(answers).toMatchObject([{ data: { decision: "approved", by: "owner" } }]);
    },
  );

  test("[WB90] what a running call asks for is a form: wrong values stay with what is wrong, right ones are sent once", async () => {
    await using gateway = await startPageGateway();
    const stream = await appendForm(gateway);
    const { page, complaints } = await openSignedIn(browser, gateway.url, { bypassCSP: true });
    await page.goto(`${gateway.url}/#/c/${stream}`);
    const card = log(page).getByRole("region");
    const send = card.getByRole("button", { name: "Send answer" });
    await card.getByText("Where to, and how many?<b>U+200B").waitFor();
    await expect.poll(() => send.isEnabled()).toBe(true);
    // What is proposed is filled in; keys in a field answer nothing.
    const many = card.getByLabel("How many");
    expect(await many.inputValue()).toBe("2");
    expect(await card.getByLabel("Gift wrap").isChecked()).toBe(true);
    expect(await card.getByLabel("Size").locator("option").allInnerTexts()).toEqual(["", "Small", "Large"]);
    await many.press("a");
    await many.fill("12");
    await card.getByLabel("Mail").fill("ada");
    await card.getByLabel("Mail").press("Enter");
    await send.click();
    await card.getByText("It must be at most 9.").waitFor();
    await card.getByText("This is not a mail address.").waitFor();
    await card.getByText("It must have at least 1 item.").waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("mail");
    for (const theme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: theme });
      expect(await findViolations(page)).toEqual([]);
      if (PICTURES !== undefined)
        await page.screenshot({ path: join(PICTURES, `desktop-${theme}-form.png`) });
    }
    const resolved = async () =>
      (await Array.fromAsync(gateway.log.read(stream))).filter(({ type }) => type === "approval.resolved");
    expect(await resolved()).toEqual([]);
    await many.fill("3");
    await card.getByLabel("Mail").fill("ada@example.org");
    await card.getByLabel("Size").selectOption("Large");
    await card.getByLabel("Tea").check();
    await card.getByLabel("Gift wrap").uncheck();
    await card.getByLabel("Day").fill("2026-12-01");
    await send.click();
    await log(page).getByText("You approved").waitFor();
    const value = {
      mail: "ada@example.org",
      count: 3,
      size: "l",
      drinks: ["tea"],
      wrap: false,
      day: "2026-12-01",
    };
    expect(await resolved()).toMatchObject([{ data: { decision: "approved", result: { value } } }]);
    expect(complaints).toEqual([]);
  });
});

/** A conversation in which a call asks for values. */
async function appendForm({ log, ids }: PageGateway): Promise<SessionId> {
  const stream = ids.next("session");
  const schema = {
    type: "object",
    properties: {
      mail: { type: "string", title: "Mail", format: "email" },
      count: { type: "integer", title: "How many", description: "Nine at most", minimum: 1, maximum: 9 },
      size: {
        type: "string",
        title: "Size",
        oneOf: [
          { const: "s", title: "Small" },
          { const: "l", title: "Large" },
        ],
      },
      drinks: {
        type: "array",
        title: "Drinks",
        minItems: 1,
        items: {
          anyOf: [
            { const: "tea", title: "Tea" },
            { const: "milk", title: "Milk" },
          ],
        },
      },
      wrap: { type: "boolean", title: "Gift wrap" },
      day: { type: "string", title: "Day", format: "date" },
    },
    required: ["mail", "count", "drinks"],
  };
  await log.append(stream, [
    { type: "session.started", data: { agentId: "main", key: "web--form", channel: "web" } },
    {
      type: "user.message",
      data: { text: "Order", attachments: [], channel: "ws", sender: "owner", trust: "user" },
    },
    {
      type: "approval.requested",
      data: {
        approvalId: ids.next("call"),
        toolPath: "shop.order",
        input: { message: "Where to?", requestedSchema: schema },
        preview: { title: "shop asks you something", details: "For clients without forms" },
        bindingHash: "0".repeat(64),
        askedBy: ids.next("call"),
        form: { schema, proposed: { count: 2, wrap: true }, says: "Where to, and how many?<b>\u200b" },
      },
    },
  ]);
  return stream;
}

const REASONS = [
  "99 values come from rows.list and not from you (text, folder).",
  "The address of one mail is in no message of yours, and was last read on a page that others can write to.",
  "mail.send asks before every call, because it sends something out of this machine that cannot be taken back.",
  "Deputy has read text from rows.list, notes.read and web.fetch, whose authors are not known.",
];

/** A conversation in which a plan of 99 alike calls and one odd one waits. */
async function appendPlan({ log, ids }: PageGateway): Promise<SessionId> {
  const stream = ids.next("session");
  const hash = "0".repeat(64);
  const alike = Array.from({ length: 99 }, (_, at) => ({
    callId: ids.next("call"),
    toolPath: "notes.note",
    input: { text: `Number ${at + 1}`, folder: "inbox" },
    preview: { title: `Number ${at + 1}`, effect: "write" as const },
  }));
  const odd = {
    callId: ids.next("call"),
    toolPath: "mail.send",
    input: { to: "odd@example.org", subject: "Odd" },
    preview: { title: "Send a mail to odd@example.org", effect: "egress" as const, reasons: REASONS },
  };
  const calls = [...alike, odd];
  await log.append(stream, [
    { type: "session.started", data: { agentId: "main", key: "web--plan", channel: "web" } },
    {
      type: "user.message",
      data: { text: "A hundred notes", attachments: [], channel: "ws", sender: "owner", trust: "user" },
    },
    {
      type: "approval.requested",
      data: {
        approvalId: ids.next("plan"),
        toolPath: "plan",
        input: { calls },
        preview: { title: "A plan of 100 calls" },
        prompt: "A hundred notes",
        bindingHash: hash,
        calls: calls.map(({ callId, toolPath }) => ({ callId, toolPath, inputHash: hash })),
      },
    },
  ]);
  return stream;
}
