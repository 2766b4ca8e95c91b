import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readServerSentEvents } from "../packages/client/src/server-sent-events.ts";
import { type Daemon, startDaemon } from "../e2e/run-deputy.ts";
import { readProcessTree } from "./process-stats.ts";
import { reportLimit } from "./report.ts";
import { sized } from "./sized.ts";

const IN_USE_MB = 260;
/** What the first tasks load and keep; after that it must not grow. */
const FIRST_TASKS = sized(20, 4);
const MORE_TASKS = sized(60, 4);
const MOST_GROWTH_MB = 12;

const PROMPTS = [
  "Close all issues older than 90 days",
  "hello",
  "```ts\nreturn (await tools.mail.messages.list({})).length;\n```",
  "Close stale issues in acme/mobile-app",
];

/** A daemon's memory while it is used, including the checker, and that it does not grow with tasks. */
export async function benchFootprint(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "deputy-home-"));
  try {
    await using daemon = await startDaemon(home);
    const rssMb = (): number => readProcessTree(daemon.child.pid ?? 0).rssBytes / 1e6;
    for (let n = 0; n < FIRST_TASKS; n++) await runTask(daemon, n);
    const firstMb = rssMb();
    for (let n = 0; n < MORE_TASKS; n++) await runTask(daemon, n);
    reportLimit(`daemon in use, after ${FIRST_TASKS} tasks`, firstMb, "MB", IN_USE_MB);
    reportLimit(`daemon, grown by ${MORE_TASKS} tasks more`, rssMb() - firstMb, "MB", MOST_GROWTH_MB);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function runTask(daemon: Daemon, n: number): Promise<void> {
  const created = await daemon.post("/api/tasks", { prompt: PROMPTS[n % PROMPTS.length] });
  const { id } = (await created.json()) as { id: string };
  for await (const { data } of readServerSentEvents(await daemon.fetch(`/api/tasks/${id}/events`))) {
    const event = JSON.parse(data) as { type: string; id?: string };
    if (event.type === "approval_request")
      await daemon.post(`/api/approvals/${event.id}`, { decision: "approved" });
  }
}
