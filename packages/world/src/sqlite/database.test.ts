import { statSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { setUpWorld } from "../world.fixture.ts";

const started = { deploymentId: "d", workflowName: "w", input: new Uint8Array() };

test("[WF14] only the owner can read the file", () => {
  const { open, path } = setUpWorld();
  open();
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("[WF14] refuses foreign, newer and non-database files untouched", () => {
  const { open, path } = setUpWorld();
  const foreign = new DatabaseSync(path);
  foreign.exec("CREATE TABLE mine (x)");
  expect(() => open()).toThrow(expect.objectContaining({ code: "world_foreign" }));
  foreign.exec("DROP TABLE mine");
  foreign.close();
  open();
  const newer = new DatabaseSync(path);
  newer.exec("PRAGMA user_version = 99");
  newer.close();
  expect(() => open()).toThrow(expect.objectContaining({ code: "world_too_new" }));
  const other = setUpWorld();
  writeFileSync(other.path, "this is no database at all, whatever its name may say".repeat(20));
  expect(() => other.open()).toThrow(expect.objectContaining({ code: "world_unusable" }));
});

test("[WF14] a full disk refuses only what does not fit", async () => {
  const world = setUpWorld().open();
  const { db } = world.parts.store;
  db.sql("PRAGMA max_page_count = 60").get();
  const fill = async (): Promise<void> => {
    for (;;) await world.writeToStream("s", "r", new Uint8Array(20_000));
  };
  await expect(fill()).rejects.toMatchObject({ code: "world_full" });
  db.sql("PRAGMA max_page_count = 100000").get();
  await world.events.create(null, { eventType: "run_created", eventData: started });
});

test("[WF14] acknowledges nothing after any other failed write", async () => {
  let isFailing = false;
  const failed: string[] = [];
  const world = setUpWorld().open({
    onFailed: ({ code }) => failed.push(code),
    failpoint() {
      // As node:sqlite reports a sync that the disk refused.
      if (isFailing) throw Object.assign(new Error("disk I/O error"), { errcode: 1_034 });
    },
  });
  isFailing = true;
  const create = () => world.events.create(null, { eventType: "run_created", eventData: started });
  await expect(create()).rejects.toMatchObject({ code: "world_failed" });
  isFailing = false;
  await expect(create()).rejects.toMatchObject({ code: "world_failed" });
  await expect(world.runs.list({})).rejects.toMatchObject({ code: "world_failed" });
  expect(failed).toEqual(["world_failed"]);
});

test("[WF14] a closed World refuses everything", async () => {
  const world = setUpWorld().open();
  await world.close();
  await world.close();
  await expect(world.runs.list({})).rejects.toMatchObject({ code: "world_closed" });
  await expect(world.queue("__wkf_workflow_w", { runId: "r" })).rejects.toMatchObject({
    code: "world_closed",
  });
});
