import type { Page } from "playwright-core";
import { buildPage, BUILT_PAGE } from "../apps/web/build/build-page.ts";
import { launchChromium, noBrowser } from "../e2e/chromium.ts";
import { type PageGateway, startPageGateway } from "../e2e/page-gateway.ts";
import { TOKEN } from "../e2e/run-deputy.ts";
import { reportLimit, reportRatio } from "./report.ts";
import { sized } from "./sized.ts";

const PIECES = sized(500, 20);
const PIECE_CHARS = 40;
const MESSAGES = sized(5_000, 60);
const ROUNDS = sized(3, 1);
const TOKENS = sized(500, 20);
/** An hour at fifty tokens a second is as much as this many answers of twenty thousand characters. */
const HOUR_ANSWERS = sized(36, 4);

/** What the page costs in a real browser: to load, to show an answer while it is written, to open a long conversation. */
export async function benchWeb(): Promise<void> {
  const { firstLoadBytes } = await buildPage(BUILT_PAGE);
  reportLimit("page: first load, compressed", firstLoadBytes / 1_000, "kB", 120);
  if (noBrowser) {
    console.log("Without Chromium, nothing else of the page can be measured.");
    return;
  }
  const browser = await launchChromium();
  await using gateway = await startPageGateway();
  try {
    const page = await browser.newPage();
    await page.goto(gateway.url);
    await page.getByLabel("Token").fill(TOKEN);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("What should Deputy do?").waitFor();
    await benchFirstLoad(page, gateway.url);
    await benchStreaming(page);
    await benchLongConversation(page, gateway);
    await benchHour(page, gateway);
  } finally {
    await browser.close();
  }
}

/** What the browser's main thread has done since, in milliseconds of CPU. */
async function startCpu(
  page: Page,
): Promise<() => Promise<{ readonly taskMs: number; readonly scriptMs: number }>> {
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  const read = async () => {
    const { metrics } = await client.send("Performance.getMetrics");
    const of = (wanted: string): number => (metrics.find(({ name }) => name === wanted)?.value ?? 0) * 1_000;
    return { taskMs: of("TaskDuration"), scriptMs: of("ScriptDuration") };
  };
  const before = await read();
  return async () => {
    const after = await read();
    return { taskMs: after.taskMs - before.taskMs, scriptMs: after.scriptMs - before.scriptMs };
  };
}

/** From nothing to a page that takes a message. */
async function benchFirstLoad(page: Page, url: string): Promise<void> {
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await page.goto("about:blank");
    const cpu = await startCpu(page);
    await page.goto(url);
    await page.getByLabel("Message", { exact: true }).waitFor();
    times.push((await cpu()).taskMs);
  }
  reportLimit("page: interactive, CPU", Math.min(...times), "ms", 300);
}

/** Markdown of every kind, as long as asked for. */
function sampleAnswer(chars: number): string {
  const part =
    "## A part\n\nSome **bold** words, `code`, and [a link](https://example.org).\n\n- one\n- two\n  - three\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n```ts\nconst x = await tools.rows.list({ count: 3 });\n```\n\n";
  return part.repeat(Math.ceil(chars / part.length)).slice(0, chars);
}

/** An answer in pieces, against drawing the whole of it anew for each piece. */
async function benchStreaming(page: Page): Promise<void> {
  const text = sampleAnswer(PIECES * PIECE_CHARS);
  const rounds = [];
  let worst = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    const ours = await page.evaluate(stream, { text, step: PIECE_CHARS, how: "growing" as const });
    const naive = await page.evaluate(stream, { text, step: PIECE_CHARS, how: "anew" as const });
    rounds.push({ ours: ours.totalMs, raw: naive.totalMs });
    worst = Math.min(worst, ours.worstScriptMs);
  }
  reportRatio(`page: ${text.length / 1_000} kB in ${PIECES} pieces (raw: drawn anew)`, "ms", rounds, 0.1);
  reportLimit("page: the dearest piece of it, script", worst, "ms", 8);
}

/** Runs in the page. Each step ends with the layout that a frame would do. */
async function stream({
  text,
  step,
  how,
}: {
  readonly text: string;
  readonly step: number;
  readonly how: "growing" | "anew";
}): Promise<{ readonly totalMs: number; readonly worstScriptMs: number }> {
  interface Markdown extends HTMLElement {
    text: string;
    isStreaming: boolean;
    readonly updateComplete: Promise<boolean>;
  }
  const place = document.body.appendChild(document.createElement("div"));
  const create = (): Markdown => document.createElement("markdown-text") as Markdown;
  let element = place.appendChild(create());
  const times: number[] = [];
  const scripts: number[] = [];
  for (let end = step; end <= text.length; end += step) {
    const begun = performance.now();
    if (how === "anew") {
      const next = create();
      element.replaceWith(next);
      element = next;
    }
    element.text = text.slice(0, end);
    element.isStreaming = how === "growing";
    await element.updateComplete;
    scripts.push(performance.now() - begun);
    void place.offsetHeight;
    times.push(performance.now() - begun);
  }
  place.remove();
  // On a machine with other work, some steps are interrupted: not the very last of them counts.
  const sorted = scripts.toSorted((a, b) => a - b);
  return {
    totalMs: times.reduce((sum, time) => sum + time, 0),
    worstScriptMs: sorted[Math.floor(sorted.length * 0.995)] ?? 0,
  };
}

/** From the click to the last message on the screen. */
async function benchLongConversation(page: Page, { log, ids, url }: PageGateway): Promise<void> {
  const session = ids.next("session");
  await log.append(session, [
    { type: "session.started", data: { agentId: "main", key: "web--long", channel: "web" } },
  ]);
  const usage = { inputTokens: 1, outputTokens: 1, modelCalls: 1 };
  const said = { attachments: [], channel: "ws", sender: "owner", trust: "user" as const };
  for (let at = 1; at <= MESSAGES / 2; at += 1) {
    const turnId = ids.next("turn");
    const text = `Answer ${at}.\n\n${sampleAnswer(300)}`;
    await log.append(session, [
      { type: "user.message", turnId, data: { ...said, text: `Question ${at}` } },
      { type: "turn.started", turnId, data: { agentId: "main", model: "rehearsal/tour" } },
      { type: "assistant.message", turnId, data: { itemId: ids.next("item"), text } },
      { type: "turn.completed", turnId, data: { usage } },
    ]);
  }
  const place = `${url}/#/c/${session}`;
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await page.goto(`${url}/#/`);
    await page.getByText("What should Deputy do?").waitFor();
    const cpu = await startCpu(page);
    await page.goto(place);
    await page.getByText(`Answer ${MESSAGES / 2}.`).waitFor();
    times.push((await cpu()).taskMs);
  }
  reportLimit(`page: opens ${MESSAGES.toLocaleString("en")} messages, CPU`, Math.min(...times), "ms", 300);
  const { scriptMs, frames } = await streamInto(page, { log, ids }, session, sampleAnswer(TOKENS * 4));
  reportLimit("page: a token in it, script", scriptMs / TOKENS, "ms", 1);
  reportLimit("page: a frame of it, script", scriptMs / Math.max(1, frames), "ms", 8);
}

/** A turn whose answer comes token by token over the page's own connection. */
async function streamInto(
  page: Page,
  { log, ids }: Pick<PageGateway, "log" | "ids">,
  session: Parameters<PageGateway["log"]["append"]>[0],
  text: string,
): Promise<{ readonly scriptMs: number; readonly frames: number }> {
  const turnId = ids.next("turn");
  const itemId = ids.next("item");
  const said = { attachments: [], channel: "ws", sender: "owner", trust: "user" as const };
  const end = `The end of ${itemId}.`;
  const whole = `${text}\n\n${end}`;
  const step = Math.ceil(whole.length / TOKENS);
  await log.append(session, [
    { type: "user.message", turnId, data: { ...said, text: `Asked for ${itemId}` } },
    { type: "turn.started", turnId, data: { agentId: "main", model: "rehearsal/tour" } },
  ]);
  await hasText(page, ".row-said", `Asked for ${itemId}`);
  await page.evaluate(countFrames);
  const cpu = await startCpu(page);
  for (let at = 0; at < whole.length; at += step) {
    log.publish({
      type: "assistant.delta",
      stream: session,
      turnId,
      at: new Date().toISOString(),
      itemId,
      itemType: "message",
      offset: at,
      text: whole.slice(at, at + step),
    });
    // One token, one turn of the loop: as a model gives them.
    await new Promise((done) => setImmediate(done));
  }
  await hasText(page, ".row-answer", end);
  const { scriptMs } = await cpu();
  const frames = await page.evaluate(() => (globalThis as unknown as { frames: number }).frames);
  const usage = { inputTokens: 1, outputTokens: 1, modelCalls: 1 };
  await log.append(session, [
    { type: "assistant.message", turnId, data: { itemId, text: whole } },
    { type: "turn.completed", turnId, data: { usage } },
  ]);
  await page.waitForFunction(() => document.querySelector<HTMLElement>("button.stop")?.hidden === true);
  return { scriptMs, frames };
}

/** Without Playwright's own search, which takes long in a long page. */
async function hasText(page: Page, selector: string, text: string): Promise<void> {
  const wanted = { selector, text };
  await page.waitForFunction(
    (looked) =>
      [...document.querySelectorAll(looked.selector)].at(-1)?.textContent?.includes(looked.text) === true,
    wanted,
  );
}

/** Runs in the page. */
function countFrames(): void {
  const counted = globalThis as unknown as { frames?: number };
  const isCounting = counted.frames !== undefined;
  counted.frames = 0;
  if (isCounting) return;
  const next = (): void => {
    counted.frames = (counted.frames ?? 0) + 1;
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}

/** Memory after an hour's worth of answers in one conversation, against that after half of it. */
async function benchHour(page: Page, { log, ids, url }: PageGateway): Promise<void> {
  const session = ids.next("session");
  await log.append(session, [
    { type: "session.started", data: { agentId: "main", key: "web--hour", channel: "web" } },
  ]);
  await page.goto(`${url}/#/c/${session}`);
  await page.getByRole("log").waitFor();
  const client = await page.context().newCDPSession(page);
  const heapKb = async (): Promise<number> => {
    await client.send("HeapProfiler.collectGarbage");
    return (await client.send("Runtime.getHeapUsage")).usedSize / 1_000;
  };
  let early = 0;
  for (let answer = 1; answer <= HOUR_ANSWERS; answer += 1) {
    await streamInto(page, { log, ids }, session, sampleAnswer(sized(20_000, 400)));
    if (answer === Math.ceil(HOUR_ANSWERS / 2)) early = await heapKb();
  }
  const late = await heapKb();
  reportLimit("page: memory after an hour of answers / after half", late / early, "×", 1.05);
}
