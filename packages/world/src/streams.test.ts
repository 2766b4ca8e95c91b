import { expect, test } from "vitest";
import { setUpWorld } from "./world.fixture.ts";

async function setup() {
  const world = setUpWorld().open();
  const read = async (from?: number): Promise<readonly string[]> => {
    const texts: string[] = [];
    for await (const chunk of await world.readFromStream("s", from))
      texts.push(new TextDecoder().decode(chunk));
    return texts;
  };
  return { world, read };
}

test("[WF12] reads a stream from any place, in order, to its end", async () => {
  const { world, read } = await setup();
  await world.writeToStream("s", "r", "a");
  await world.writeToStreamMulti?.("s", "r", ["b", new Uint8Array([99])]);
  await world.closeStream("s", "r");
  expect(await read()).toEqual(["a", "b", "c"]);
  expect(await read(2)).toEqual(["c"]);
  expect(await read(-2)).toEqual(["b", "c"]);
  expect(await read(-9)).toEqual(["a", "b", "c"]);
});

test("[WF12] reading during writing gets new chunks without polling", async () => {
  const { world, read } = await setup();
  const [first, second] = [read(), read()];
  for (const chunk of ["a", "b"]) await world.writeToStream("s", "r", chunk);
  await world.writeToStream("other", "r", "x");
  await world.closeStream("s", "r");
  expect(await first).toEqual(["a", "b"]);
  expect(await second).toEqual(["a", "b"]);
});

test("[WF12] lists chunks by page and streams by run, and says whether a stream is done", async () => {
  const { world } = await setup();
  expect(await world.getStreamInfo("s", "r")).toEqual({ tailIndex: -1, done: false });
  for (let n = 0; n < 5; n++) await world.writeToStream("s", "r", String(n));
  const page = await world.getStreamChunks("s", "r", { limit: 3 });
  expect(page).toMatchObject({
    hasMore: true,
    done: false,
    data: [{ index: 0 }, { index: 1 }, { index: 2 }],
  });
  await world.closeStream("s", "r");
  const rest = await world.getStreamChunks("s", "r", { limit: 3, cursor: page.cursor ?? "" });
  expect(rest).toMatchObject({ hasMore: false, cursor: null, done: true });
  expect(rest.data.map(({ index, data }) => [index, new TextDecoder().decode(data)])).toEqual([
    [3, "3"],
    [4, "4"],
  ]);
  expect(await world.getStreamInfo("s", "r")).toEqual({ tailIndex: 4, done: true });
  expect(await world.listStreamsByRunId("r")).toEqual(["s"]);
});
