import { expect, test } from "vitest";
import type { Call } from "../stores/transcript-rows.ts";
import { callStatus, cellFailure } from "./call-words.ts";

const call = (more: Partial<Call>): Call => ({
  id: "cal_1",
  toolPath: "mail.send",
  input: {},
  status: "succeeded",
  why: [],
  attachments: [],
  ...more,
});

test("[W66] a call says what became of it and how it was decided; one that was denied says so once, without a time", () => {
  const answered = { questions: [] };
  const says = (more: Partial<Call>, cell: { readonly questions: readonly string[] } = answered) =>
    callStatus(call(more), cell);
  expect(says({ decision: "ask", status: "decided" }, { questions: ["cal_1"] })).toBe("waits for an answer");
  expect(says({ decision: "ask", status: "decided" })).toBe("decided · asked you");
  expect(says({ decision: "ask", durationMs: 1 })).toBe("done · 1 ms · approved");
  expect(says({ decision: "allow", status: "running" })).toBe("running · allowed");
  expect(says({ decision: "allow", isGranted: true, durationMs: 1 })).toBe("done · 1 ms · approved");
  expect(says({ decision: "ask", status: "denied", durationMs: 0 })).toBe("denied");
  expect(says({ decision: "deny", status: "denied", durationMs: 0 })).toBe("refused");
});

test("[W66] a program that stopped at a denied call says which; one that went on and failed later says why", () => {
  const denied = call({ status: "denied", decision: "ask", error: "The user did not select this call." });
  const calls = [call({}), denied];
  expect(cellFailure({ calls, error: "The user did not select this call. [denied]" })).toBe(
    "The program stopped there, because mail.send was denied.",
  );
  expect(cellFailure({ calls, error: "x is not a function" })).toBe("x is not a function");
  expect(cellFailure({ calls })).toBeUndefined();
});
