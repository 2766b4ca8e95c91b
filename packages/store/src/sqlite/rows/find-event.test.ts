import { createIdSource } from "@deputy/kit";
import { createFakeClock } from "@deputy/testing";
import { expect, test } from "vitest";
import { exportStream } from "../session-files/export-stream.ts";
import { importStream } from "../session-files/import-stream.ts";
import { all, messages, setUpHome } from "../store.fixture.ts";

test("any event can be found to be erased, also after an import and a clock that went back", async () => {
  const home = setUpHome();
  const elsewhere = await setUpHome().open();
  const session = home.ids.next("session");
  await elsewhere.log.append(session, messages(5));
  const clock = createFakeClock({ startMs: 4_000_000_000_000 });
  const future = await home.open({ clock, ids: createIdSource({ clock }) });
  await future.log.append("system", messages(10));
  await future.close();
  const { log, ...store } = await home.open();
  await log.append("system", messages(10));
  await importStream(store, await all(exportStream(elsewhere, session)));
  await log.append("system", messages(10));
  for (const { event } of await all(log.readAll())) await log.erase(event.id, "ann");
  expect(await log.verify()).toMatchObject({ events: 70, erased: 35, damage: [] });
});
