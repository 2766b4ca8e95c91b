import type { StoredEvent } from "@deputy/protocol";
import type { Given } from "./honest-work.ts";
import { openTurns, wasTooSlow, type WorldRecord } from "./judge-log.ts";

const dataOf = (events: readonly StoredEvent[], type: string): readonly Record<string, string>[] =>
  events.filter((event) => event.type === type).map(({ data }) => data as Record<string, string>);

/** A task is known by its id, and what was said by the names in it. */
function begins(data: unknown, name: string, id: string | undefined): boolean {
  const { taskId, text } = Object(data) as { taskId?: string; text?: string };
  return (id !== undefined && taskId === id) || text?.includes(`"${name}.`) === true;
}

/** What was acknowledged and has not come to its end; empty once everything has. */
export function unfinished(given: readonly Given[], record: WorldRecord): readonly string[] {
  const { events, calls, notes } = record;
  const ended = new Set(dataOf(events, "task.completed").map(({ taskId }) => taskId));
  const fired = new Set(dataOf(events, "task.fired").map(({ delivery }) => delivery));
  const received = events.filter(({ type }) => type === "hook.received");
  const found: string[] = [];
  for (const { kind, name, said, id, effects } of given) {
    if (said !== "yes") continue;
    const isLate = kind === "schedule" || kind === "event";
    if (id !== undefined && !isLate && !ended.has(id)) found.push(`${name} has not ended`);
    const own = Map.groupBy(events, ({ stream }) => stream);
    const streams = events.filter(({ data }) => begins(data, name, id)).map(({ stream }) => stream);
    if (streams.some((stream) => wasTooSlow(own.get(stream) ?? []))) continue;
    for (const what of effects)
      if (![...calls.values()].some((call) => call.what === what && call.settled !== undefined))
        found.push(`${what} has no receipt`);
    const delivery = received.find(({ data }) => (data as { deliveryId: string }).deliveryId === name);
    if (kind === "delivery" && (delivery === undefined || !fired.has(delivery.stream)))
      found.push(`${name} made nothing run`);
    const wasSet = dataOf(events, "cron.added").some((reminder) => reminder["name"] === name);
    if (kind === "reminder" && wasSet && !notes.some((note) => note.includes(`${name}!`)))
      found.push(`${name} was not told`);
  }
  return found;
}

/** What is wrong with what came of it, once all of it has ended. */
export function judgeWork(given: readonly Given[], record: WorldRecord, kills: number): readonly string[] {
  const { events, calls, effects, notes } = record;
  const faults = openTurns(record).map((turn) => `${turn} is left running`);
  const count = (what: string): number => effects.filter((effect) => effect.what === what).length;
  for (const [id, { toolPath, what, isStarted, settled }] of calls) {
    if (isStarted && settled === undefined) faults.push(`${id} (${toolPath}) has no receipt`);
    if (!toolPath.startsWith("effects.") || settled === undefined) continue;
    const had = effects.filter((effect) => effect.call === id).length;
    if (settled.status === "succeeded" && had === 0)
      faults.push(`${id} (${what}) had no effect, and its receipt says so not`);
    if (settled.error?.message.includes("effects-plugin.ts") === true)
      faults.push(`${what} met an end of its own plugin: ${settled.error.message}`);
    // Runs that replace each other are told to stop.
    if (settled.status !== "succeeded" && kills === 0 && what !== "now")
      faults.push(`${what} is ${settled.status}: ${settled.error?.message}`);
  }
  for (const { kind, name, said, effects: wanted } of given) {
    if (said === "no")
      for (const what of wanted) if (count(what) > 0) faults.push(`${what} was refused, and done`);
    if (kind === "delivery") {
      const received = events.filter(
        ({ type, data }) => type === "hook.received" && (data as { deliveryId: string }).deliveryId === name,
      );
      const stream = received[0]?.stream;
      const fired = dataOf(events, "task.fired").filter(({ delivery }) => delivery === stream);
      if (stream !== undefined && fired.length > 1) faults.push(`${name} made ${fired.length} runs`);
      if (said === "no" && received.length > 0) faults.push(`${name} was refused, and is there`);
    }
    const told = notes.filter((note) => note.includes(`${name}!`)).length;
    if (told > 1) faults.push(`${name} was told ${told} times`);
  }
  return faults;
}
