import { createIdSource } from "@deputy/kit";
import type { EventData } from "@deputy/protocol";
import { createFakeClock, createMemoryEventLog } from "@deputy/testing";
import { expect, onTestFinished, test } from "vitest";
import { createGrantsView } from "./grants-view.ts";

function setup() {
  const clock = createFakeClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  onTestFinished(() => log.close());
  const [stream, other] = [ids.next("session"), ids.next("session")];
  const give = async (grant: Partial<EventData<"grant.created">>, to = stream) => {
    const grantId = ids.next("grant");
    const data = { grantId, scope: "session" as const, bindings: [{ toolPath: "notes.write" }], ...grant };
    await log.append(to, [{ type: "grant.created", data }]);
    return grantId;
  };
  const revoke = async (grantId: EventData<"grant.revoked">["grantId"]) =>
    await log.append(stream, [{ type: "grant.revoked", data: { grantId, by: "me" } }]);
  return { ids, stream, other, give, revoke, view: createGrantsView(log) };
}

test("[A11] a session has its own grants, with their end, until they are revoked", async () => {
  const { view, stream, other, give, revoke } = setup();
  await give({ bindings: [{ toolPath: "mail.send" }] }, other);
  const grantId = await give({});
  const later = await give({ scope: "task", expiresAt: "1970-01-01T00:00:05.000Z" });
  const bindings = [{ toolPath: "notes.write" }];
  const ending = { id: later, bindings, expiresAtMs: 5_000 };
  expect(await view.of(stream)).toStrictEqual([{ id: grantId, bindings }, ending]);
  await revoke(grantId);
  expect(await view.of(stream)).toStrictEqual([ending]);
});

test("[A105] a plan's grant is for that plan in its session, none of the session's, and can be revoked", async () => {
  const { ids, view, stream, other, give, revoke } = setup();
  const [planId, another] = [ids.next("plan"), ids.next("plan")];
  const grantId = await give({ scope: "plan", planId });
  await give({ scope: "session", planId: another });
  expect(await view.of(stream)).toHaveLength(1);
  expect(view.ofPlan(stream, planId)).toBeDefined();
  expect(view.ofPlan(stream, another)).toBeUndefined();
  expect(view.ofPlan(other, planId)).toBeUndefined();
  await revoke(grantId);
  await view.of(stream);
  expect(view.ofPlan(stream, planId)).toBeUndefined();
});
