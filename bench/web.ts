import type { Browser, Page } from "playwright-core";
import { buildPage, BUILT_PAGE } from "../apps/web/build/build-page.ts";
import { launchChromium, noBrowser } from "../e2e/chromium.ts";
import { type PageGateway, startPageGateway } from "../e2e/page-gateway.ts";
import { TOKEN } from "../e2e/run-deputy.ts";
import { reportLimit, reportPeer, reportRatio } from "./report.ts";
import { sized } from "./sized.ts";
import { frameCosts, type FrameCost } from "./web/frame-costs.ts";
import { peerScript } from "./web/peer.ts";

const PIECES = sized(500, 20);
const PIECE_CHARS = 40;
const MESSAGES = sized(5_000, 60);
const ROUNDS = sized(3, 1);
const TOKENS = sized(500, 20);
/** An hour at fifty tokens a second: this many answers, of this many tokens of four characters. */
const HOUR_ANSWERS = sized(40, 10);
const HOUR_TOKENS = sized(4_500, 20);
const HOUR_LOOKS = 10;
/**
 * Short turns between two answers. The page forgets half of what it holds whenever that is too much, so each half of the
 * hour must be longer than the time between two forgettings: where answers are short, these see to it.
 */
const TURNS_BETWEEN = sized(0, 20);
/** On a machine with much else to do. */
const PATIENCE_MS = 180_000;

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
    await benchStreaming(browser, page);
    await benchPeer(browser, page);
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

/** Answers that are one long thing: each must cost as little as a mixed one. */
const LONG_ANSWERS: Readonly<Record<string, string>> = {
  list: "- An item with **bold** words and `code`\n",
  "list of tasks": "- [ ] A task with **bold** words\n",
  table: "| one **bold** word | `code` |\n",
  paragraph: "Some **bold** words, `code` and more of them. ",
  "paragraph of lines": "Some **bold** words, `code` and more of them.\n",
  "text without blanks": "日本語の文章はとても長いです。",
  quotation: "> Some **bold** words and `code`\n",
  code: "const x = await tools.rows.list({ count: 3 });\n",
  "item of a list": "Some **bold** words, `code` and more of them. ",
  "nested list": "  - An item with **bold** words\n    - and [a link](https://example.org)\n",
  "item with code": "  const x = await tools.rows.list({ count: 3 });\n",
  "text in JSON": '  "some_name": [1, "*", { "a": "b" }],\n',
  "line of open marks": "*a ",
};
const BEFORE: Readonly<Record<string, string>> = {
  table: "| a | b |\n| - | - |\n",
  code: "```ts\n",
  "item of a list": "- ",
  "nested list": "- One\n",
  "item with code": "- Do this:\n\n  ```ts\n",
  "text in JSON": "{\n",
};

/** An answer in pieces, a piece in a frame, against drawing the whole of it anew for each piece. */
async function benchStreaming(browser: Browser, page: Page): Promise<void> {
  const chars = PIECES * PIECE_CHARS;
  const text = sampleAnswer(chars);
  await becomeIdle(page);
  reportFrames("page: the dearest frame of the first answer", [await dearestFrame(browser, page, text)]);
  const rounds = [];
  const dearest = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const ours = await cpuOf(page, text, "growing");
    rounds.push({ ours, raw: await cpuOf(page, text, "anew") });
    dearest.push(await dearestFrame(browser, page, text));
  }
  reportRatio(`page: ${chars / 1_000} kB in ${PIECES} pieces (raw: drawn anew)`, "ms", rounds, 0.1);
  reportFrames("page: the dearest frame of it", dearest);
  for (const [what, line] of Object.entries(LONG_ANSWERS)) {
    const long = ((BEFORE[what] ?? "") + line.repeat(chars / line.length)).slice(0, chars);
    const frames = [];
    for (let round = 0; round < ROUNDS; round += 1) frames.push(await dearestFrame(browser, page, long));
    reportFrames(`page: the same as one ${what}, dearest frame`, frames);
  }
}

/** The browser has done what waits until there is nothing else to do. */
async function becomeIdle(page: Page): Promise<void> {
  await page.evaluate(async (times) => {
    for (let time = 0; time < times; time += 1) await new Promise((done) => requestIdleCallback(done));
  }, 60);
}

function reportFrames(what: string, rounds: readonly FrameCost[]): void {
  const middle = (values: readonly number[]): number =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  reportLimit(`${what}, script`, middle(rounds.map(({ scriptMs }) => scriptMs)), "ms", 8);
  const collectorMs = Math.max(...rounds.map((round) => round.collectorMs));
  if (collectorMs > 1) console.log(`  the collector's longest pause in it: ${collectorMs.toFixed(1)} ms`);
}

/** The same against what most pages of this kind use. */
async function benchPeer(browser: Browser, page: Page): Promise<void> {
  const peer = await peerScript();
  if ("missing" in peer) {
    console.log(
      `react-markdown could not be installed, so the page is compared with nothing: ${peer.missing}`,
    );
    return;
  }
  const text = sampleAnswer(PIECES * PIECE_CHARS);
  const context = await browser.newContext();
  const other = await context.newPage();
  await other.addScriptTag({ content: peer.script });
  const ours = [];
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    ours.push(await cpuOf(page, text, "growing"));
    rounds.push(await cpuOf(other, text, "peer"));
  }
  await context.close();
  await page.bringToFront();
  const what = `page: ${text.length / 1_000} kB in ${PIECES} pieces`;
  reportPeer(what, "ms", ours, { name: "react-markdown", rounds });
}

type How = "growing" | "anew" | "peer";

async function cpuOf(page: Page, text: string, how: How): Promise<number> {
  // A tab behind another has no frames.
  await page.bringToFront();
  const cpu = await startCpu(page);
  await page.evaluate(stream, { text, step: PIECE_CHARS, how });
  return (await cpu()).taskMs;
}

/** The most that a frame's script took, and the most that the collector did. */
async function dearestFrame(browser: Browser, page: Page, text: string): Promise<FrameCost> {
  await page.bringToFront();
  const frames = await frameCosts(browser, () =>
    page.evaluate(stream, { text, step: PIECE_CHARS, how: "growing" as const }),
  );
  return {
    scriptMs: Math.max(...frames.map(({ scriptMs }) => scriptMs)),
    collectorMs: Math.max(...frames.map(({ collectorMs }) => collectorMs)),
  };
}

/** Runs in the page: a piece in each frame. */
async function stream({
  text,
  step,
  how,
}: {
  readonly text: string;
  readonly step: number;
  readonly how: How;
}): Promise<void> {
  interface Markdown extends HTMLElement {
    text: string;
    isStreaming: boolean;
    readonly updateComplete: Promise<boolean>;
  }
  const { drawPeer } = globalThis as unknown as { drawPeer: (place: Element, text: string) => void };
  // Taking away what was drawn before is no part of any frame.
  document.querySelector("#bench-place")?.remove();
  const place = document.body.appendChild(document.createElement("div"));
  place.id = "bench-place";
  const create = (): Markdown => document.createElement("markdown-text") as Markdown;
  let element = place.appendChild(create());
  for (let end = step; end <= text.length; end += step) {
    await new Promise((frame) => requestAnimationFrame(frame));
    if (how === "peer") {
      drawPeer(place, text.slice(0, end));
      continue;
    }
    if (how === "anew") {
      const next = create();
      element.replaceWith(next);
      element = next;
    }
    element.text = text.slice(0, end);
    element.isStreaming = how === "growing";
    await element.updateComplete;
  }
  await new Promise((frame) => requestAnimationFrame(frame));
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
  const scriptMs = await streamInto(page, { log, ids }, session, {
    text: sampleAnswer(TOKENS * 4),
    tokens: TOKENS,
  });
  reportLimit("page: a token in it, script", scriptMs / TOKENS, "ms", 1);
}

/** A turn whose answer comes token by token over the page's own connection; the script that it takes, in milliseconds. */
async function streamInto(
  page: Page,
  { log, ids }: Pick<PageGateway, "log" | "ids">,
  session: Parameters<PageGateway["log"]["append"]>[0],
  { text, tokens }: { readonly text: string; readonly tokens: number },
): Promise<number> {
  const turnId = ids.next("turn");
  const itemId = ids.next("item");
  const said = { attachments: [], channel: "ws", sender: "owner", trust: "user" as const };
  const end = `The end of ${itemId}.`;
  const whole = `${text}\n\n${end}`;
  const step = Math.ceil(whole.length / tokens);
  await log.append(session, [
    { type: "user.message", turnId, data: { ...said, text: `Asked for ${itemId}` } },
    { type: "turn.started", turnId, data: { agentId: "main", model: "rehearsal/tour" } },
  ]);
  await hasText(page, ".row-said", `Asked for ${itemId}`);
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
  const usage = { inputTokens: 1, outputTokens: 1, modelCalls: 1 };
  await log.append(session, [
    { type: "assistant.message", turnId, data: { itemId, text: whole } },
    { type: "turn.completed", turnId, data: { usage } },
  ]);
  await page.waitForFunction(() => document.querySelector<HTMLElement>("button.stop")?.hidden === true);
  return scriptMs;
}

/** A turn that comes whole. */
async function appendTurn(
  { log, ids }: Pick<PageGateway, "log" | "ids">,
  session: Parameters<PageGateway["log"]["append"]>[0],
): Promise<void> {
  const turnId = ids.next("turn");
  const said = { attachments: [], channel: "ws", sender: "owner", trust: "user" as const };
  await log.append(session, [
    { type: "user.message", turnId, data: { ...said, text: "And?" } },
    { type: "turn.started", turnId, data: { agentId: "main", model: "rehearsal/tour" } },
    { type: "assistant.message", turnId, data: { itemId: ids.next("item"), text: "Nothing." } },
    { type: "turn.completed", turnId, data: { usage: { inputTokens: 1, outputTokens: 1, modelCalls: 1 } } },
  ]);
}

/** Without Playwright's own search, which takes long in a long page. */
async function hasText(page: Page, selector: string, text: string): Promise<void> {
  const wanted = { selector, text };
  await page.waitForFunction(
    (looked) =>
      [...document.querySelectorAll(looked.selector)].at(-1)?.textContent?.includes(looked.text) === true,
    wanted,
    { timeout: PATIENCE_MS },
  );
}

/** The most memory, nodes and listeners of the second half of an hour's worth of answers, against those of the first. */
async function benchHour(page: Page, { log, ids, url }: PageGateway): Promise<void> {
  const session = ids.next("session");
  await log.append(session, [
    { type: "session.started", data: { agentId: "main", key: "web--hour", channel: "web" } },
  ]);
  await page.goto(`${url}/#/c/${session}`);
  await page.getByRole("log").waitFor();
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable");
  const look = async (): Promise<Held> => {
    await client.send("HeapProfiler.collectGarbage");
    const { metrics } = await client.send("Performance.getMetrics");
    const [heap = 0, nodes = 0, listeners = 0] = HELD.map(
      (wanted) => metrics.find(({ name }) => name === wanted)?.value ?? 0,
    );
    return { JSHeapUsedSize: heap, Nodes: nodes, JSEventListeners: listeners };
  };
  const tell = (when: string, held: Held): void =>
    console.log(
      `page: held ${when}: ${(held.JSHeapUsedSize / 1e6).toFixed(1)} MB, ${held.Nodes} nodes, ${held.JSEventListeners} listeners`,
    );
  tell("at the start", await look());
  // The page forgets half of what it shows whenever that is too much: only the peaks can be compared.
  const peaks: Held[] = [];
  const answered = { text: sampleAnswer(HOUR_TOKENS * 4), tokens: HOUR_TOKENS };
  for (let answer = 1; answer <= HOUR_ANSWERS; answer += 1) {
    for (let turn = 0; turn < TURNS_BETWEEN; turn += 1) await appendTurn({ log, ids }, session);
    await streamInto(page, { log, ids }, session, answered);
    const half = answer * 2 <= HOUR_ANSWERS ? 0 : 1;
    const held = await look();
    peaks[half] = peaks[half] === undefined ? held : mostOf(peaks[half], held);
    if (answer % (HOUR_ANSWERS / HOUR_LOOKS) === 0) tell(`after ${answer} of ${HOUR_ANSWERS} answers`, held);
  }
  const [first, second] = peaks;
  if (first === undefined || second === undefined) return;
  for (const what of HELD)
    reportLimit(`page: most ${what}, second / first half of an hour`, second[what] / first[what], "×", 1.1);
}

const HELD = ["JSHeapUsedSize", "Nodes", "JSEventListeners"] as const;
type Held = Readonly<Record<(typeof HELD)[number], number>>;

function mostOf(one: Held, other: Held): Held {
  return {
    JSHeapUsedSize: Math.max(one.JSHeapUsedSize, other.JSHeapUsedSize),
    Nodes: Math.max(one.Nodes, other.Nodes),
    JSEventListeners: Math.max(one.JSEventListeners, other.JSEventListeners),
  };
}
