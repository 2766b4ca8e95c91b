import { createIdSource } from "@deputy/kit";
import type { EventData } from "@deputy/protocol";
import { createFakeClock } from "@deputy/testing";
import { expect, test } from "vitest";
import { isApproved } from "./approval-wait.ts";
import { refusalOf } from "./declined.ts";

const ids = createIdSource({ clock: createFakeClock() });
const [callId, other] = [ids.next("call"), ids.next("call")];
const answer = (given: Partial<EventData<"approval.resolved">>): EventData<"approval.resolved"> => {
  return { approvalId: callId, decision: "approved", by: "me", scope: "once", ...given };
};

test("[A103] of a plan, what the answer names is approved; without names, all of it; denied, nothing", () => {
  expect(isApproved(answer({}), callId)).toBe(true);
  expect(isApproved(answer({ calls: [other, callId] }), callId)).toBe(true);
  expect(isApproved(answer({ calls: [other] }), callId)).toBe(false);
  expect(isApproved(answer({ decision: "denied" }), callId)).toBe(false);
});

test("[A93] a refusal is in the user's words, or says what the user did", () => {
  expect(refusalOf(answer({ decision: "denied", reason: "not now" }))).toBe("not now");
  expect(refusalOf(answer({ decision: "denied" }))).toBe("The user said no.");
  expect(refusalOf(answer({ calls: [other] }))).toBe("The user did not select this call.");
});
