import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeEventLog } from "@deputy/testing";
import { openSqliteStore } from "../open-sqlite-store.ts";

describeEventLog("sqlite", async ({ clock, ids, eventBytes }) => {
  const directory = mkdtempSync(join(tmpdir(), "store-"));
  const store = await openSqliteStore({ directory, clock, ids, limits: { eventBytes } });
  return {
    log: store.log,
    async close() {
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
});
