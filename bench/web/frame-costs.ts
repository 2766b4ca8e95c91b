import type { Browser } from "playwright-core";

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
}

const SCRIPT = new Set([
  "FunctionCall",
  "FireAnimationFrame",
  "RunMicrotasks",
  "TimerFire",
  "v8.callFunction",
]);
const LAYOUT = new Set(["UpdateLayoutTree", "Layout"]);
const COLLECTOR = new Set(["MajorGC", "MinorGC"]);

/** What a frame takes of its thread's CPU, in milliseconds. */
export interface FrameCost {
  /** Neither layout nor the collector nor other work of the machine counts. */
  readonly scriptMs: number;
  /** What the collector of memory did in the midst of it. How long that takes depends on what else the machine does. */
  readonly collectorMs: number;
}

/** What each frame takes while something goes on in a tab. */
export async function frameCosts(browser: Browser, work: () => Promise<void>): Promise<readonly FrameCost[]> {
  const client = await browser.newBrowserCDPSession();
  const events: TraceEvent[] = [];
  client.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  const includedCategories = ["devtools.timeline", "v8"];
  await client.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories } });
  await work();
  const ended = new Promise((done) => client.once("Tracing.tracingComplete", done));
  await client.send("Tracing.end");
  await ended;
  await client.detach();
  return perFrame(ofBusiestThread(events));
}

/** The events of the thread that draws, in order, those around others first. */
function ofBusiestThread(events: readonly TraceEvent[]): readonly TraceEvent[] {
  const frames = new Map<string, number>();
  const thread = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
  for (const event of events)
    if (event.name === "FireAnimationFrame") frames.set(thread(event), (frames.get(thread(event)) ?? 0) + 1);
  const [busiest] = [...frames].toSorted(([, a], [, b]) => b - a)[0] ?? [];
  return events
    .filter((event) => event.ph === "X" && thread(event) === busiest)
    .toSorted((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
}

function perFrame(events: readonly TraceEvent[]): readonly FrameCost[] {
  const frames: { scriptMs: number; collectorMs: number }[] = [];
  let scriptEnd = 0;
  let layoutEnd = 0;
  for (const { name, ts, dur = 0, tdur = 0 } of events) {
    if (name === "FireAnimationFrame") frames.push({ scriptMs: 0, collectorMs: 0 });
    const frame = frames.at(-1);
    if (frame === undefined) continue;
    const ms = tdur / 1_000;
    if (SCRIPT.has(name) && ts >= scriptEnd) {
      scriptEnd = ts + dur;
      frame.scriptMs += ms;
    } else if (LAYOUT.has(name) && ts < scriptEnd && ts >= layoutEnd) {
      layoutEnd = ts + dur;
      frame.scriptMs -= ms;
    } else if (COLLECTOR.has(name) && ts < scriptEnd) {
      frame.scriptMs -= ms;
      frame.collectorMs += ms;
    }
  }
  return frames;
}
