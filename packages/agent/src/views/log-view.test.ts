import { createIdSource, createSystemClock } from "@deputy/kit";
import type { CanonicalEvent, ViewSnapshot, ViewSnapshots } from "@deputy/protocol";
import { createMemoryEventLog } from "@deputy/testing";
import { expect, test } from "vitest";
import { createLogView } from "./log-view.ts";

interface Sessions {
  readonly byKey: Map<string, { readonly agents: Set<string> }>;
  count: number;
}

function setup() {
  const clock = createSystemClock();
  const ids = createIdSource({ clock });
  const memory = createMemoryEventLog({ clock, ids });
  const kept = new Map<string, ViewSnapshot>();
  let readAfter = -1;
  const snapshots: ViewSnapshots = {
    load: async (name) => kept.get(name),
    // As a store would: through JSON.
    save: async (name, snapshot) => void kept.set(name, JSON.parse(JSON.stringify(snapshot)) as ViewSnapshot),
  };
  const log = {
    ...memory,
    snapshots,
    readAll: (options: Parameters<typeof memory.readAll>[0] = {}) => {
      readAfter = options.after ?? 0;
      return memory.readAll(options);
    },
  };
  const apply = (state: Sessions, event: CanonicalEvent): void => {
    if (event.type !== "session.started") return;
    const known = state.byKey.get(event.data.key) ?? { agents: new Set() };
    state.byKey.set(event.data.key, { agents: known.agents.add(event.data.agentId) });
    state.count += 1;
  };
  const open = (name = "sessions") => {
    const state: Sessions = { byKey: new Map(), count: 0 };
    return createLogView(log, ["session.started"], state, apply, { name });
  };
  const add = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n++) {
      const data = { agentId: `agent-${n % 3}`, key: `web--${n % 7}`, channel: "web" };
      await memory.append(ids.next("session"), [{ type: "session.started", data }]);
    }
  };
  return { open, add, kept, log, readAfter: () => readAfter };
}

test("[A154] the next process goes on from what a view has kept, and has the same state", async () => {
  const { open, add, kept, readAfter } = setup();
  await add(600);
  const { state: before } = await open().current();
  expect(kept.get("sessions")?.position).toBe(600);
  await add(5);
  const again = await open().current();
  expect(readAfter()).toBe(600);
  expect(again.position).toBe(605);
  expect(again.state.count).toBe(605);
  expect(again.state.byKey).toEqual(before.byKey);
});

test("[A154] little is not worth keeping; what is kept under another name is another view's", async () => {
  const { open, add, kept, readAfter } = setup();
  await add(100);
  await open().current();
  expect(kept.size).toBe(0);
  await add(500);
  await open().current();
  expect((await open("sessions 2").current()).state.count).toBe(600);
  expect(readAfter()).toBe(0);
});

test("[A154] what was kept of another log, or in another shape, is passed over", async () => {
  const [first, second] = [setup(), setup()];
  await first.add(600);
  await first.open().current();
  await second.add(700);
  for (const [name, snapshot] of first.kept) second.kept.set(name, snapshot);
  expect((await second.open().current()).state.count).toBe(700);
  const own = first.kept.get("sessions");
  if (own === undefined) throw new Error("Nothing was kept");
  first.kept.set("sessions", { ...own, state: { list: [1, 2] } });
  expect((await first.open().current()).state.count).toBe(600);
});
