import { expect, test } from "vitest";
import { openLater } from "./open-later.ts";

test("[K34] opens once for any number of callers, and closes at the end", async () => {
  const log: string[] = [];
  {
    await using later = openLater(async () => {
      log.push("opened");
      return { [Symbol.asyncDispose]: async () => void log.push("closed") };
    });
    const [one, other] = await Promise.all([later.get(), later.get()]);
    expect(one).toBe(other);
  }
  expect(log).toEqual(["opened", "closed"]);
});

test("[K34] neither opens nor closes if nothing needs it", async () => {
  let opened = 0;
  {
    await using _later = openLater(async () => {
      opened += 1;
      return { [Symbol.asyncDispose]: async () => undefined };
    });
  }
  expect(opened).toBe(0);
});

test("[K34] tries again for the next caller after a failure", async () => {
  let tries = 0;
  await using later = openLater(async () => {
    tries += 1;
    if (tries === 1) throw new Error("no room");
    return { [Symbol.asyncDispose]: async () => undefined };
  });
  await expect(later.get()).rejects.toThrow("no room");
  await later.get();
  expect(tries).toBe(2);
});
