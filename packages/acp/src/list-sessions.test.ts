import type { SessionSummary } from "@deputy/agent/sessions";
import { createIdSource, createSystemClock } from "@deputy/kit";
import { expect, test } from "vitest";
import { keyOfFolder } from "./folder-key.ts";
import { listSessions } from "./acp-agent.ts";

const ids = createIdSource({ clock: createSystemClock() });
const summary = (key: string): SessionSummary => ({
  id: ids.next("session"),
  key,
  agentId: "main",
  channel: "acp",
  startedAt: "2026-01-01T00:00:00.000Z",
  lastAt: "2026-01-02T00:00:00.000Z",
  turns: 1,
  isTask: false,
  title: "Hello",
  events: 3,
});

test("[E337] lists every session that an editor began once, page by page, and no other", () => {
  const mine = Array.from({ length: 120 }, (_, n) => summary(keyOfFolder(n % 2 === 0 ? "/a" : "/b")));
  const all = [summary("terminal--default"), ...mine];
  const told: string[] = [];
  for (let cursor: string | undefined, page = 0; page === 0 || cursor !== undefined; page++) {
    const { sessions, nextCursor } = listSessions(all, cursor === undefined ? {} : { cursor });
    told.push(...sessions.map(({ sessionId }) => sessionId));
    cursor = nextCursor ?? undefined;
  }
  expect(told).toEqual(mine.map(({ id }) => id));
  const inFolder = listSessions(all, { cwd: "/b" });
  expect(new Set(inFolder.sessions.map(({ cwd }) => cwd))).toEqual(new Set(["/b"]));
  expect(() => listSessions(all, { cursor: "ses_nope" })).toThrow("Not a cursor");
});
