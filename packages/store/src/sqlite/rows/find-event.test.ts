import { createIdSource } from "@deputy/kit";
import { createFakeClock } from "@deputy/testing";
import { expect, test } from "vitest";
import { all, messages, setUpHome } from "../store.fixture.ts";

test("finds any event to erase, even after the clock was set back", async () => {
  const home = setUpHome();
  const clock = createFakeClock({ startMs: 4_000_000_000_000 });
  const future = await home.open({ clock, ids: createIdSource({ clock }) });
  await future.log.append("system", messages(10));
  await future.close();
  const { log } = await home.open();
  await log.append("system", messages(10));
  await log.append(home.ids.next("session"), messages(5));
  await log.append("system", messages(10));
  for (const { event } of await all(log.readAll())) await log.erase(event.id, "ann");
  expect(await log.verify()).toMatchObject({ events: 70, erased: 35, damage: [] });
});
