/**
 * Calls one after the other with approvals, side by side, and raced; its result says all it was told.
 * Is JavaScript, and typechecks as TypeScript.
 */
export function programOf(task: string): string {
  return `
const task = ${JSON.stringify(task)};
class Tally { #sum = 0; add(n = 0) { this.#sum += n; return this.#sum; } }
const tally = new Tally();
const closed = new Array();
for (const n of await tools.world.list({})) {
  try { closed.push([n, tally.add((await tools.world.close({ task, n })).n)]); }
  catch (error) { closed.push([n, Object(error).code, Object(error).message]); }
}
const all = await Promise.all([10, 11, 12, 13].map((n) => tools.world.put({ task, n })));
const racers = [tools.world.put({ task, n: 20 }), tools.world.put({ task, n: 21 })];
await Promise.race(racers);
const both = await Promise.allSettled(racers);
const mixed = await Promise.all([tools.world.close({ task, n: 4 }), tools.world.put({ task, n: 22 })]);
return { closed, all: all.map(({ n }) => n), both: both.map((one) => one.status === "fulfilled" ? one.value.n : one.reason.code), mixed: mixed.map(({ n }) => n), sum: tally.add(0) };`;
}
