import { expect, test } from "vitest";
import { lastStep, stepOf } from "./run-steps.ts";
import type { Call, Cell } from "./transcript-rows.ts";

const at = "2026-03-01T09:00:00.000Z";
const call = (id: string): Call => ({
  id,
  toolPath: `tool.${id}`,
  input: {},
  status: "succeeded",
  decision: "allow",
  why: ["It reads."],
  preview: "ok",
  durationMs: 5,
  attachments: [],
});
const cell: Cell = {
  id: "cel_1",
  code: "x",
  startedAt: at,
  endedAt: at,
  diagnostics: [],
  calls: [call("a"), call("b")],
  moments: [
    { callId: "a", what: "decided", at },
    { callId: "a", what: "settled", at },
    { callId: "b", what: "decided", at },
    { callId: "b", what: "settled", at },
  ],
  logs: ["done"],
  result: 1,
  wasAsked: false,
  questions: [],
};

test("[W2] a finished run is gone through call by call, each with what was known then", () => {
  expect(lastStep(cell)).toBe(5);
  expect(stepOf(cell, 0)).toMatchObject({ number: 0, cell: { calls: [], logs: [] } });
  const decided = stepOf(cell, 1);
  expect(decided.call?.id).toBe("a");
  expect(decided.cell.calls).toMatchObject([{ id: "a", status: "decided", why: ["It reads."] }]);
  expect(decided.cell.calls[0]).not.toHaveProperty("preview");
  expect(decided.cell).not.toHaveProperty("result");
  expect(stepOf(cell, 3).cell.calls.map(({ status }) => status)).toEqual(["succeeded", "decided"]);
  expect(stepOf(cell, 5).cell).toBe(cell);
  expect(stepOf(cell, 99)).toMatchObject({ number: 5, last: 5 });
});

test("[W2] a run that goes on is shown as it is", () => {
  const { endedAt: _endedAt, result: _result, ...open } = cell;
  const running: Cell = {
    ...open,
    calls: [call("a"), { ...call("b"), status: "running" }],
    moments: cell.moments.slice(0, 3),
  };
  expect(stepOf(running, undefined).cell.calls.map(({ status }) => status)).toEqual(["succeeded", "running"]);
});
