import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cardOf, listedIn, setUpPlans } from "./plan.fixture.ts";
import { endProgramPartsAfterwards } from "../program-parts.fixture.ts";

endProgramPartsAfterwards();

/** A step of a program: what asks, what does not, and what depends on results. */
const step = fc.oneof(
  fc.integer({ min: 1, max: 3 }).map((id) => `await close(${id});`),
  fc.integer({ min: 1, max: 3 }).map((id) => `await tools.issues.touch({ id: ${id} });`),
  fc
    .constantFrom(1, 2)
    .map((page) => `for (const { id } of await tools.issues.list({ page: ${page} })) await close(id);`),
  fc.integer({ min: 1, max: 3 }).map((id) => `await Promise.all([close(${id}), close(${id}), close(9)]);`),
  fc.integer({ min: 1, max: 3 }).map((id) => `await say(${id}, "ref " + (await close(${id})));`),
  fc
    .integer({ min: 1, max: 3 })
    .map((id) => `if ((await close(${id})) === "denied") await close(7); else await close(8);`),
  fc.constant(`await say(1, "as ever");`),
);

const PRELUDE = `
const close = async (id) => { try { return (await tools.issues.close({ id })).ref; } catch (error) { return error.code; } };
const say = async (id, text) => { try { await tools.issues.comment({ id, text }); } catch {} };
`;

/** How the n-th listed call of a run is answered. */
const answers = fc.infiniteStream(fc.boolean());

test("[A112] whatever the program and the answers: what runs is what was approved, one by one", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), answers, async (steps, stream) => {
      const { run, answering, done, dataOf } = setUpPlans();
      const approved: string[] = [];
      const listed = new Map<string, number>();
      await answering(run(`${PRELUDE}${steps.join("\n")}\nreturn 1;`), (asked) => {
        const lines = listedIn(asked);
        for (const line of lines) listed.set(line, (listed.get(line) ?? 0) + 1);
        if (asked.toolPath !== "plan") {
          const isYes = stream.next().value === true;
          if (isYes) approved.push(...lines);
          return { decision: isYes ? "approved" : "denied" };
        }
        const chosen = cardOf(asked).calls.filter(() => stream.next().value === true);
        if (chosen.length === 0) return { decision: "denied" };
        approved.push(...chosen.map(({ toolPath, input }) => `${toolPath} ${JSON.stringify(input)}`));
        return { decision: "approved", calls: chosen.map(({ callId }) => callId) };
      });
      const asks = new Set(["issues.close", "issues.comment"]);
      const requested = await dataOf("call.requested");
      const started = new Set((await dataOf("call.started")).map(({ callId }) => callId));
      const ran = requested
        .filter(({ toolPath, callId }) => asks.has(toolPath) && started.has(callId))
        .map(({ toolPath, input }) => `${toolPath} ${JSON.stringify(input)}`);
      // Nothing ran that was not approved, and nothing more often.
      const left = [...approved];
      for (const line of ran) {
        expect(left).toContain(line);
        left.splice(left.indexOf(line), 1);
      }
      expect(done.filter((what) => !/^(list|touch)/.test(what))).toHaveLength(ran.length);
      // Every call that asks was listed, and each listing was for one of them at most.
      for (const { toolPath, input } of requested.filter((call) => asks.has(call.toolPath))) {
        const line = `${toolPath} ${JSON.stringify(input)}`;
        expect(listed.get(line) ?? 0).toBeGreaterThan(0);
        listed.set(line, (listed.get(line) ?? 0) - 1);
      }
      const ids = requested.map(({ callId }) => callId);
      expect(new Set(ids).size).toBe(ids.length);
    }),
    { numRuns: 40 },
  );
});
