import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FakeImapServer, openFakeImapServer } from "@deputy/testing";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchChromium, noBrowser } from "./chromium.ts";
import { openSignedIn, type PageDaemon, say, startPageDaemon } from "./page-world.ts";
import { runDeputy, scratchDirectory, TOKEN } from "./run-deputy.ts";

const withToken = { env: { DEPUTY_TOKEN: TOKEN } };

describe.skipIf(noBrowser)("tasks on the page", () => {
  let browser: Browser;
  let world: PageDaemon;
  let mail: FakeImapServer;
  const secrets = scratchDirectory();
  beforeAll(async () => {
    mail = await openFakeImapServer({ user: "ada", password: "lovelace" });
    const password = join(secrets.path, "password");
    writeFileSync(password, "lovelace", { mode: 0o600 });
    const inbox = { type: "imap", name: "inbox", host: "127.0.0.1", port: mail.port, secure: "none" };
    const events = [{ ...inbox, user: "ada", password: `file:${password}` }];
    [browser, world] = await Promise.all([launchChromium(), startPageDaemon({ events })]);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.[Symbol.asyncDispose]();
    await mail?.[Symbol.asyncDispose]();
    secrets[Symbol.dispose]();
  });

  test("[WB12] a task shows when it would run while one types, in the reader's zone, and can be cancelled", async () => {
    const { page, complaints } = await openSignedIn(browser, world.daemon().url, {
      timezoneId: "Asia/Tokyo",
    });
    await page.goto(`${world.daemon().url}/#/tasks/new`);
    await page.getByLabel("What should Deputy do?").fill("Tell me the news");
    await page.getByLabel("When?").fill("whenever it rains");
    await page.getByRole("status").getByText("For example").waitFor();
    await page.getByLabel("When?").fill("weekdays at 9:00");
    const preview = page.locator("#task-preview");
    await preview.getByText("on weekdays at 09:00").first().waitFor();
    expect(await preview.locator("time").count()).toBe(5);
    expect(await preview.locator("time").first().textContent()).toMatch(/9:00/);
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name: "Tell me the news" }).waitFor();
    await page.getByText("Asia/Tokyo").first().waitFor();
    expect(await page.locator(".next-times time").count()).toBe(5);
    expect(await page.getByRole("link", { name: "See what it did" }).count()).toBe(0);
    await page.getByRole("button", { name: "Cancel task" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel the task" }).click();
    await page.getByText("Cancelled by you").waitFor();
    await page.goto(`${world.daemon().url}/#/tasks`);
    await page.getByRole("link", { name: /Tell me the news.*cancelled/ }).waitFor();
    expect(complaints).toEqual([]);
  });

  test("[WB12] a task that runs at once shows what came of it, and what it did opens as a conversation", async () => {
    const { page } = await openSignedIn(browser, world.daemon().url);
    await page.goto(`${world.daemon().url}/#/tasks/new`);
    await page.getByLabel("What should Deputy do?").fill("Say hello");
    await page.getByRole("button", { name: "Create" }).click();
    const answering = await world.model.asked();
    answering.write("Hello from a task.");
    answering.end();
    await page.getByText("What it said last").waitFor();
    await page.getByRole("main").getByText("done").first().waitFor();
    await page.getByText("Done", { exact: true }).waitFor();
    await page.getByRole("link", { name: "See what it did" }).click();
    await page.getByRole("log").getByText("Hello from a task.").waitFor();
    await page.getByRole("button", { name: "Continue in a copy" }).first().waitFor();
    expect(await page.getByLabel("Message", { exact: true }).count()).toBe(0);
  });

  test("[WB19] a task is paused, resumed, edited and run now, with the keyboard; skips and runs are rows with reasons", async () => {
    const { page, complaints } = await openSignedIn(browser, world.daemon().url);
    await page.goto(`${world.daemon().url}/#/tasks/new`);
    await page.getByLabel("What should Deputy do?").fill("Count the rows");
    await page.getByLabel("How often").selectOption("daily");
    await page.getByLabel("Time", { exact: true }).fill("23:59");
    await page.locator("#task-preview").getByText("every day at 23:59").first().waitFor();
    expect(await page.getByLabel("When?").inputValue()).toBe("every day at 23:59");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name: "Count the rows" }).waitFor();

    const press = async (name: string): Promise<void> => {
      await page.getByRole("button", { name, exact: true }).focus();
      await page.keyboard.press("Enter");
    };
    await press("Pause");
    await page.getByText("What is due is skipped until you resume it.").waitFor();
    await page.getByText("Paused by you").waitFor();
    await press("Resume");
    await page.getByText("Resumed by you").waitFor();

    await press("Edit");
    await page.getByLabel("What should Deputy do?").fill("Count the columns");
    await page.getByLabel("When?").fill("every 2h");
    await page.locator("#task-preview").getByText("every 2 hours").first().waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Count the columns" }).waitFor();
    await page.getByText("Changed by you").waitFor();

    await press("Run now");
    const answering = await world.model.asked();
    answering.write("There are seven.");
    answering.end();
    await page.getByText("you asked for it").waitFor();
    await page.locator(".timeline .run .answer").getByText("There are seven.").waitFor();
    await page.locator(".timeline .run.done").getByRole("link", { name: "Ran" }).click();
    await page.getByRole("log").getByText("There are seven.").waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "Count the columns" }).waitFor();
    await page.getByRole("link", { name: "All tasks" }).click();
    const listed = page.getByRole("link", { name: /Count the columns/ });
    await listed.getByText("next: ").waitFor();
    expect(await listed.innerText()).toMatch(/last: .*, done/);
    expect(complaints).toEqual([]);
  });

  test("[WB19] pause, edit and run work from the terminal, and the page shows them", async () => {
    const { page } = await openSignedIn(browser, world.daemon().url);
    const added = await runDeputy(
      ["tasks", "add", "Water the plants", "--schedule", "every day at 8:00 UTC", "--home", world.home],
      withToken,
    );
    const id = /tsk_\w+/.exec(added.stdout)?.[0] ?? "";
    await page.goto(`${world.daemon().url}/#/tasks/${id}`);
    await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
    const paused = await runDeputy(["tasks", "pause", id, "--home", world.home], withToken);
    expect(paused.stdout).toContain("paused:");
    await page.getByRole("button", { name: "Resume", exact: true }).waitFor();
    await runDeputy(["tasks", "edit", id, "--prompt", "Water them well", "--home", world.home], withToken);
    await page.getByRole("heading", { name: "Water them well" }).waitFor();
    const wrong = await runDeputy(
      ["tasks", "edit", id, "--at", "2030-01-01T09:00Z", "--home", world.home],
      withToken,
    );
    expect(wrong.stderr).toContain("again and again");
    await page.goto(`${world.daemon().url}/#/tasks`);
    await page.getByRole("link", { name: /Water them well.*paused/ }).waitFor();
  });

  test("[WB19] [WB84] hooks with their last deliveries, reminders and the heartbeat are there, and can be paused", async () => {
    const { page, complaints } = await openSignedIn(browser, world.daemon().url);
    await page.goto(`${world.daemon().url}/#/tasks`);
    await page.getByRole("heading", { name: "Webhooks, mailboxes and folders" }).waitFor();
    await page.getByRole("button", { name: "New reminder" }).waitFor();
    const mailbox = page.getByRole("listitem").filter({ hasText: "inbox" }).first();
    await mailbox.getByText("It has reported nothing yet.").waitFor();
    await expect.poll(() => mail.idling).toBe(1);
    const source = "From: grace@example.org\r\nSubject: A compiler\r\n\r\nIt works.\r\n";
    mail.deliver({ source: Buffer.from(source) });
    await page.getByRole("button", { name: "Pause heartbeat" }).click();
    await page.getByText("Paused since").waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Resume heartbeat" }).click();
    await page.getByRole("button", { name: "Pause heartbeat" }).waitFor();
    await page.getByRole("button", { name: "New webhook" }).click();
    await page.locator("#hook-name:focus").fill("orders");
    await page.getByLabel("How the sender proves itself").selectOption("none");
    await page.getByRole("button", { name: "Make the webhook" }).click();
    const row = page.getByRole("listitem").filter({ hasText: "orders" }).first();
    const address = (await row.locator("pre").textContent()) ?? "";
    expect(address).toContain("/hooks/");
    const delivered = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ order: 17 }),
    });
    expect(delivered.status).toBe(202);
    await expect
      .poll(async () => {
        await page.reload();
        await row.locator("time").waitFor();
        return await mailbox.locator(".lines > li").first().innerText();
      })
      .toMatch(/mail\.received\s+\d+ bytes/);
    expect(await row.locator(".lines > li").first().innerText()).toMatch(/a report\s+12 bytes/);
    await page.getByRole("button", { name: "New webhook" }).click();
    await page.getByLabel("Name").fill("orders");
    await page.getByRole("button", { name: "Make the webhook" }).click();
    await page.getByRole("alert").filter({ hasText: "orders" }).waitFor();
    await row.getByRole("link", { name: "What they said" }).click();
    await page
      .getByRole("button", { name: /Report received.*orders/ })
      .first()
      .waitFor();
    await page.goto(`${world.daemon().url}/#/tasks/new`);
    await page.getByLabel("What should Deputy do?").fill("Look at the order");
    await page.getByLabel("How often").selectOption("report");
    await page.getByLabel("Reported by").selectOption("orders");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByText("whenever orders reports something").first().waitFor();

    // What waits for a webhook is said before it is removed.
    await page.goto(`${world.daemon().url}/#/tasks`);
    await row.getByRole("button", { name: "Remove…" }).click();
    const question = page.getByRole("dialog");
    await question.getByText("One task waits for its reports").waitFor();
    expect(await question.innerText()).toContain("“Look at the order”");
    await question.getByRole("button", { name: "Cancel" }).click();
    await row.getByRole("button", { name: "Remove…" }).click();
    await question.getByRole("button", { name: "Remove the webhook" }).click();
    await row.filter({ hasText: "webhook" }).waitFor({ state: "detached" });
    const refused = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    expect(refused.status).toBe(401);
    expect(complaints).toEqual([]);
  });

  test("[WB19] a reminder is listed with when it comes next, switched off and on, and removed", async () => {
    const { page, complaints } = await openSignedIn(browser, world.daemon().url);
    await say(page, "Remind me of the tea");
    const reminder = { name: "Tea", text: "The kettle is on", schedule: "every day at 17:00 UTC" };
    (await world.model.asked()).call("run_code", {
      code: `await tools.cron.add(${JSON.stringify(reminder)});`,
    });
    await page.getByRole("button", { name: "Approve" }).click({ timeout: 90_000 });
    const answering = await world.model.asked();
    answering.write("I will.");
    answering.end();
    await page.getByRole("log").getByText("I will.").waitFor();
    await page.goto(`${world.daemon().url}/#/tasks`);
    const row = page.getByRole("listitem").filter({ hasText: "The kettle is on" }).first();
    await row.locator("time").waitFor();
    expect(await row.innerText()).toMatch(/every day at 17:00.*next/);
    await row.getByRole("button", { name: "Switch off" }).click();
    await row.getByText("switched off").waitFor();
    await row.getByRole("button", { name: "Switch on" }).click();
    await row.locator("time").waitFor();
    await row.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await row.waitFor({ state: "detached" });
    await page.getByText("There are no reminders yet.").waitFor();
    expect(complaints).toEqual([]);
  });

  test("[WB53] a webhook gets a new address, which is shown once; the one before is refused", async () => {
    const { page, complaints } = await openSignedIn(browser, world.daemon().url);
    await runDeputy(["hooks", "add", "deploys", "--home", world.home], withToken);
    const added = await runDeputy(
      ["hooks", "add", "builds", "--scheme", "none", "--home", world.home],
      withToken,
    );
    const before = /http:\/\/\S+/.exec(added.stdout)?.[0] ?? "";
    const statusAt = async (address: string): Promise<number> =>
      (await fetch(address, { method: "POST", body: "{}", headers: { "content-type": "application/json" } }))
        .status;
    await page.goto(`${world.daemon().url}/#/tasks`);
    const rowOf = (name: string) => page.getByRole("listitem").filter({ hasText: name }).first();
    const row = rowOf("builds");
    await row.getByRole("button", { name: "New address…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    expect(await statusAt(before)).toBe(202);
    const renew = async (name: string): Promise<readonly string[]> => {
      await rowOf(name).getByRole("button", { name: "New address…" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Make a new address" }).click();
      await rowOf(name).getByText("Deputy does not show it again").waitFor();
      return await rowOf(name).locator("pre").allTextContents();
    };
    expect((await renew("deploys"))[1]).toMatch(/^whsec_/);
    const [address = "", ...others] = await renew("builds");
    expect(address).toMatch(new RegExp(`^${world.daemon().url}/api/hooks/[\\w-]{40,}$`));
    expect(others).toEqual([]);
    expect([await statusAt(address), await statusAt(before)]).toEqual([202, 401]);
    await page.goto(`${world.daemon().url}/#/activity`);
    await page.getByRole("button", { name: /Settings changed.*hook builds/ }).waitFor();
    await page.goto(`${world.daemon().url}/#/tasks`);
    await row.waitFor();
    expect(await row.locator("pre").count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
