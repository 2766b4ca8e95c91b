import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createFakeClock, type FakeClock } from "@deputy/testing";
import { onTestFinished } from "vitest";
import { type Home, setUpHome } from "../sqlite/store.fixture.ts";
import { openSqliteReader } from "../sqlite/open-sqlite-reader.ts";
import type { SqliteStore } from "../sqlite/sqlite-store.ts";
import { type DailyLimits, openDailyWriter } from "./daily-writer.ts";
import { type DailyReport, verifyDaily } from "./verify-daily.ts";

export interface DailyHome {
  readonly home: Home;
  readonly clock: FakeClock;
  readonly warnings: string[];
  /** A store with its daily files; both are closed together. */
  start(limits?: Partial<DailyLimits>): Promise<SqliteStore>;
  /** The names of the files in `daily`. */
  names(): string[];
  text(name: string): string;
  lines(name: string): string[];
  rewrite(name: string, change: (lines: string[]) => string[]): void;
  verify(nowMs?: number): Promise<DailyReport>;
}

export const DAY_MS = 86_400_000;
export const FIRST_DAY = "2026-03-01";

export function setUpDaily(home = setUpHome()): DailyHome {
  const clock = createFakeClock({ startMs: Date.parse(`${FIRST_DAY}T12:00:00Z`) });
  const warnings: string[] = [];
  const text = (name: string): string => readFileSync(home.path(`daily/${name}`), "utf8");
  const lines = (name: string): string[] => text(name).split("\n").slice(0, -1);
  return {
    home,
    clock,
    warnings,
    async start(limits = {}) {
      const store = await home.open({ clock });
      const warn = (warning: string): void => void warnings.push(warning);
      const writer = openDailyWriter({
        home: home.directory,
        events: store.events,
        clock,
        warn,
        // Nobody moves the clock on while lines are awaited.
        limits: { gatherMs: 0, ...limits },
      });
      const close = async (): Promise<void> => {
        await writer.close();
        await store.close();
      };
      onTestFinished(close);
      return { ...store, close, [Symbol.asyncDispose]: close };
    },
    names: () => (existsSync(home.path("daily")) ? readdirSync(home.path("daily")).sort() : []),
    text,
    lines,
    rewrite: (name, change) =>
      writeFileSync(
        home.path(`daily/${name}`),
        change(lines(name))
          .map((line) => `${line}\n`)
          .join(""),
      ),
    async verify(nowMs) {
      await using reader = openSqliteReader(home);
      const events = reader.unverified;
      return await verifyDaily({ home: home.directory, events, ...(nowMs === undefined ? {} : { nowMs }) });
    },
  };
}
