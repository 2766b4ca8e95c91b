import { expect, test } from "vitest";
import { diskRuns } from "./disk-runs.ts";
import { CAN_MOUNT } from "./small-disk.ts";

/** `npm run fuzz:disk` takes other seeds, and more rounds. */
const SEED = 5;

test.skipIf(!CAN_MOUNT && process.env["DEPUTY_CI"] === undefined)(
  "[E411] a disk that was full and is freed: every task and chat goes on by itself, nothing is lost or done twice, and none of it is called a bug",
  async () => {
    const { faults, figures } = await diskRuns({ rounds: 2, seed: SEED });
    expect(faults).toEqual([]);
    expect(figures.waits).toBeGreaterThan(0);
    expect(figures.refused).toBeGreaterThan(0);
    expect(figures.effects).toBeGreaterThan(0);
  },
  600_000,
);
