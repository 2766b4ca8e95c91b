import { DEFAULT_CELL_LIMITS } from "@deputy/codemode";
import { createSystemClock } from "@deputy/kit";
import { createFakeClock } from "@deputy/testing";
import { expect, test } from "vitest";
import { live, setUpGate, sha256 } from "../agent.fixture.ts";
import { endProgramPartsAfterwards, programParts } from "../program-parts.fixture.ts";
import { createMarkers } from "./markers.ts";
import { runAhead } from "./run-ahead.ts";

endProgramPartsAfterwards();

/** A program that waits for its first call, and what it would do after it. */
async function lookAhead(code: string, { signal = live, clock = createSystemClock() } = {}) {
  const { sandbox } = programParts();
  const { gate, stream, turnId, catalogue, ids } = setUpGate();
  const spec = {
    code,
    toolPaths: catalogue.list().map(({ path }) => path),
    limits: DEFAULT_CELL_LIMITS,
    startedAtMs: 0,
    seed: 1,
  };
  const stop = new AbortController();
  const cell = sandbox.start({ ...spec, onCall: () => undefined }, stop.signal);
  await cell.quiet();
  const image = await cell.hibernate();
  stop.abort();
  if (image === undefined) throw new Error("It should wait");
  const ahead = await runAhead(
    { sandbox, catalogue, clock },
    {
      spec,
      image,
      made: 1,
      programHash: sha256(code),
      labels: [],
      asked: [],
      foresee: await gate.foresee({ stream, turnId }),
      recorded: () => undefined,
      takePlanned: () => false,
      markers: createMarkers(sha256, "secret"),
      nextCallId: () => ids.next("call"),
    },
    signal,
  );
  const listed = ahead.calls.map(({ question }) => question.input);
  return { listed, unforeseen: ahead.unforeseen };
}

const write = (text: string) => `await tools.notes.write({ text: ${text} });`;

test("[A109] a fork that computes without end is given up after a second, with what it had", async () => {
  const { listed } = await lookAhead(`${write(`"1"`)} ${write(`"2"`)} for (;;);`);
  expect(listed).toEqual([{ text: "2" }]);
});

test("[A109] one with too much on its card stops there", async () => {
  const { listed } = await lookAhead(`for (let n = 1; n < 50; n++) ${write(`n + "x".repeat(100_000)`)}`);
  expect(listed.length).toBeGreaterThan(0);
  expect(JSON.stringify(listed).length).toBeLessThan(500_000);
});

test("[A109] one that is aborted ends at once, with what it had", async () => {
  const { listed } = await lookAhead(write(`"1"`), { signal: AbortSignal.abort(), clock: createFakeClock() });
  expect(listed).toEqual([]);
});

test("[A101] what the gate would refuse is an error ahead as well: the program goes on as it would", async () => {
  const { listed } = await lookAhead(`${write(`"1"`)}
    try { await tools.notes.write({ text: 7 }); } catch (error) { ${write("error.code")} }
    try { await tools.notes.remind({ at: "never" }); } catch (error) { ${write(`"second " + error.code`)} }`);
  expect(listed).toEqual([{ text: "invalid_input" }, { text: "second invalid_input" }]);
});

test("[A106] an input that only a placeholder makes invalid is no error: it is not known yet", async () => {
  const { listed, unforeseen } = await lookAhead(`const { written } = ${write(`"1"`)}
    await tools.notes.remind({ at: String(written) });
    await tools.notes.write({ text: "n" + written });
    ${write(`"3"`)}`);
  expect(listed).toEqual([{ text: "3" }]);
  expect(unforeseen).toBe(1);
});
