import { truncateSync } from "node:fs";
import { expect, test } from "vitest";
import { setUpHome } from "../store.fixture.ts";
import { openTailWitness, readTailWitness, type WitnessRecord } from "./tail-witness.ts";

function recordOf(position: number): WitnessRecord {
  return { position, eventId: `evt_${position}`, hash: "ab".repeat(32), shutdown: "running" };
}

test("[S14] the newest record counts, even after the file was reopened", () => {
  const path = setUpHome().path("deputy.tail");
  expect(readTailWitness(path)).toEqual({ kind: "absent" });
  for (let position = 1; position <= 5; position++) {
    const witness = openTailWitness(path);
    witness.record(recordOf(position));
    witness.close();
    expect(readTailWitness(path)).toEqual({ kind: "found", record: recordOf(position) });
  }
});

test("[S14] after a torn record the one before it counts; two torn records differ from none", () => {
  const home = setUpHome();
  const path = home.path("deputy.tail");
  const witness = openTailWitness(path);
  for (let position = 1; position <= 3; position++) witness.record(recordOf(position));
  witness.close();
  truncateSync(path, 512 + 100); // the third record is in the second slot
  expect(readTailWitness(path)).toEqual({ kind: "found", record: recordOf(2) });
  truncateSync(path, 100);
  expect(readTailWitness(path)).toEqual({ kind: "unreadable" });
});

test("[S14] full-length ids, large positions and a clean shutdown come back unchanged", () => {
  const path = setUpHome().path("deputy.tail");
  const record: WitnessRecord = {
    position: 2 ** 50,
    eventId: "evt_01K9Z3ABCDEFGHJKMNPQRSTVWX",
    hash: "0123456789abcdef".repeat(4),
    shutdown: "clean",
  };
  const witness = openTailWitness(path);
  witness.record(record);
  witness.sync();
  witness.close();
  expect(readTailWitness(path)).toEqual({ kind: "found", record });
});
