import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createIdSource, createSystemClock, type IdSource } from "@deputy/kit";
import type { EventLog, NewEvent } from "@deputy/protocol";
import { openDailyWriter, verifyDaily } from "@deputy/store/daily";
import { openSqliteReader, openSqliteStore } from "@deputy/store/sqlite";
import { reportPeer } from "./report.ts";
import { sized } from "./sized.ts";

const WRITERS = 64;
const APPENDS_PER_WRITER = sized(200, 2);
const ROUNDS = sized(5, 1);

/**
 * What the audit costs: CPU per event of appending with the daily files, compared with appending alone; and
 * how fast a log with its daily files is verified, compared with writing it.
 */
export async function benchAudit(): Promise<void> {
  const events = WRITERS * APPENDS_PER_WRITER;
  const without: number[] = [];
  const withDaily: number[] = [];
  const written: number[] = [];
  const verified: number[] = [];
  const compared: number[] = [];
  // The first round only warms up both sides.
  for (let round = -1; round < ROUNDS; round++) {
    using home = scratchHome();
    const plain = await cost(() => write(home.path, "log"));
    using other = scratchHome();
    const daily = await cost(() => write(other.path, "log and daily files"));
    const log = await cost(() => verify(other.path, "log"));
    const files = await cost(() => verify(other.path, "daily files"));
    if (round < 0) continue;
    without.push((plain.cpuMs / events) * 1000);
    withDaily.push((daily.cpuMs / events) * 1000);
    written.push((plain.ms / events) * 1000);
    verified.push((log.ms / events) * 1000);
    compared.push((files.ms / events) * 1000);
  }
  const raw = { name: "append alone", rounds: without };
  reportPeer("audit  append with daily files, CPU per event", "µs", withDaily, raw);
  const append = { name: "append", rounds: written };
  reportPeer("audit  verify the log, per event", "µs", verified, append);
  reportPeer("audit  verify the daily files, per line", "µs", compared, append);
}

async function write(directory: string, what: "log" | "log and daily files"): Promise<void> {
  const clock = createSystemClock();
  const ids = createIdSource({ clock });
  await using store = await openSqliteStore({ directory, clock, ids });
  const warn = (text: string): void => console.error(text);
  const limits = { drainMs: Infinity };
  const daily =
    what === "log"
      ? undefined
      : openDailyWriter({ home: directory, events: store.events, clock, warn, limits });
  await appendAll(store.log, ids);
  await daily?.close();
}

async function appendAll(log: EventLog, ids: IdSource): Promise<void> {
  const sessions = Array.from({ length: WRITERS }, () => ids.next("session"));
  const appendTo = async (session: (typeof sessions)[number]): Promise<void> => {
    for (let n = 0; n < APPENDS_PER_WRITER; n++) await log.append(session, [sampleEvent(n)]);
  };
  await Promise.all(sessions.map(appendTo));
}

function sampleEvent(n: number): NewEvent {
  const text = `Message ${n}: the assistant answers in a few sentences. `.repeat(6);
  return {
    type: "user.message",
    data: { text, attachments: [], channel: "web", sender: "bench", trust: "user" },
  };
}

async function verify(directory: string, what: "log" | "daily files"): Promise<void> {
  await using reader = openSqliteReader({ directory });
  const found =
    what === "log"
      ? (await reader.verify()).damage
      : (await verifyDaily({ home: directory, events: reader.unverified })).findings;
  if (found.length > 0) throw new Error(`The ${what} should hold: ${JSON.stringify(found[0])}`);
}

async function cost(work: () => Promise<void>): Promise<{ readonly ms: number; readonly cpuMs: number }> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { ms: performance.now() - start, cpuMs: (user + system) / 1000 };
}

function scratchHome(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "bench-audit-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
