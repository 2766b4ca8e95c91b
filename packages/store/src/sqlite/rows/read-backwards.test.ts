import { expect, test } from "vitest";
import { openSqliteReader } from "../open-sqlite-reader.ts";
import { message, setUpHome } from "../store.fixture.ts";

async function setup(messages: number) {
  const home = setUpHome();
  let nowMs = Date.parse("2026-03-01T00:00:00.000Z");
  const clock = { ...home.deps.clock, now: () => (nowMs += 1_000) };
  const store = await home.open({ clock });
  const [a, b] = [home.ids.next("session"), home.ids.next("session")];
  for (let n = 0; n < messages; n += 100)
    await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        store.log.append((n + at) % 3 === 0 ? a : b, [message(`${n + at}`)], { durability: "relaxed" }),
      ),
    );
  await store.log.append("system", [{ type: "error", data: { code: "x", message: "y" } }]);
  const forward = (await Array.fromAsync(store.log.readAll())).map(({ event }) => event);
  const reader = openSqliteReader(home);
  return { home, store, reader, forward };
}

test("[S42] returns every event once, newest first", async () => {
  const { reader, forward } = await setup(1_000);
  await using _ = reader;
  expect(await Array.fromAsync(reader.readBackwards())).toEqual(forward.toReversed());
});

test("[S42] filters by time, type and type prefix, even if few events match", async () => {
  const { reader, forward } = await setup(500);
  await using _ = reader;
  const [since, until] = [forward[100]?.at ?? "", forward[300]?.at ?? ""];
  const between = forward.filter(({ at }) => at >= since && at < until).toReversed();
  expect(between.length).toBeGreaterThan(50);
  expect(await Array.fromAsync(reader.readBackwards({ since, until }))).toEqual(between);
  expect(await Array.fromAsync(reader.readBackwards({ type: "error" }))).toEqual([forward.at(-1)]);
  expect(await Array.fromAsync(reader.readBackwards({ type: "user" }))).toHaveLength(500);
  expect(await Array.fromAsync(reader.readBackwards({ type: "use" }))).toEqual([]);
});

test("[S42] a search reads only events that have all of the words in type or payload, in any case", async () => {
  const { home, store, reader, forward } = await setup(300);
  await using _ = reader;
  await store.log.append("system", [message("A Zebra crosses the ROAD"), message("Another zebra")]);
  const texts = async (all: readonly string[], orTypes: readonly string[] = []) =>
    (await Array.fromAsync(reader.readBackwards({ needles: { all, orTypes } }))).map(
      ({ data, type }) => (data as { text?: string }).text ?? type,
    );
  expect(await texts(["zebra"])).toEqual(["Another zebra", "A Zebra crosses the ROAD"]);
  expect(await texts(["zebra", "road"])).toEqual(["A Zebra crosses the ROAD"]);
  expect(await texts(["zebra", "user"], ["error"])).toEqual([
    "Another zebra",
    "A Zebra crosses the ROAD",
    "error",
  ]);
  home.tamper(`UPDATE events SET payload = '{"text":"other"}' WHERE id = '${forward[5]?.id}'`);
  expect(await texts(["nobody said this"])).toEqual([]);
  const walked = await Array.fromAsync(reader.walkBackwards({ needles: { all: ["nothing"], orTypes: [] } }));
  expect(walked).toEqual([{ position: 1, event: undefined, at: forward[0]?.at }]);
});

test("[S42] notices a change only when it reads that event", async () => {
  const { home, store, reader, forward } = await setup(600);
  await using _ = reader;
  await store.close();
  const victim = forward[50];
  home.tamper(`UPDATE events SET payload = '{"text":"other"}' WHERE id = '${victim?.id}'`);
  const newest = reader.readBackwards()[Symbol.asyncIterator]();
  expect((await newest.next()).value).toEqual(forward.at(-1));
  await expect(Array.fromAsync(reader.readBackwards())).rejects.toMatchObject({ code: "log_damaged" });
  home.tamper(`UPDATE events SET at = '2026-01-01T00:00:00.000Z' WHERE id = '${forward[400]?.id}'`);
  await expect(Array.fromAsync(reader.readBackwards())).rejects.toMatchObject({ code: "log_damaged" });
});
