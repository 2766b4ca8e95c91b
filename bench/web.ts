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
    await benchStreaming(page);
    await benchLongConversation(page, gateway);
  } finally {
    await browser.close();
  }
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
  let worst = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const ours = await page.evaluate(stream, { text, step: PIECE_CHARS, how: "growing" as const });
    const naive = await page.evaluate(stream, { text, step: PIECE_CHARS, how: "anew" as const });
    rounds.push({ ours: ours.totalMs, raw: naive.totalMs });
    worst = ours.medianMs;
  }
  reportRatio(`page: ${text.length / 1_000} kB in ${PIECES} pieces (raw: drawn anew)`, "ms", rounds, 0.1);
  reportLimit("page: one piece of it, with layout, median", worst, "ms", 8);
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
}): Promise<{ readonly totalMs: number; readonly medianMs: number }> {
  interface Markdown extends HTMLElement {
    text: string;
    isStreaming: boolean;
    readonly updateComplete: Promise<boolean>;
  }
  const place = document.body.appendChild(document.createElement("div"));
  const create = (): Markdown => document.createElement("markdown-text") as Markdown;
  let element = place.appendChild(create());
  const times: number[] = [];
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
    void place.offsetHeight;
    times.push(performance.now() - begun);
  }
  place.remove();
  const sorted = times.toSorted((a, b) => a - b);
  return {
    totalMs: times.reduce((sum, time) => sum + time, 0),
    medianMs: sorted[Math.floor(sorted.length / 2)] ?? 0,
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
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  const cpuMs = async (): Promise<number> => {
    const { metrics } = await client.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1_000;
  };
  const before = await cpuMs();
  await page.goto(`${url}/#/c/${session}`);
  await page.getByText(`Answer ${MESSAGES / 2}.`).waitFor();
  reportLimit(
    `page: opens ${MESSAGES.toLocaleString("en")} messages, CPU`,
    (await cpuMs()) - before,
    "ms",
    300,
  );
}
