/**
 * Stands in for `vitest` where tests run inside Stryker: declarations are collected, assertions are
 * vitest's own. What our tests do not use is missing.
 */
import { vi as real } from "vitest";
import { addGroup, addTest, collection } from "./collected-tests.ts";

export { expect } from "vitest";

type Body = (...row: readonly unknown[]) => unknown;

export const test = Object.assign((name: string, ...more: readonly unknown[]) => addTest(name, body(more)), {
  each: (rows: readonly unknown[]) => eachOf(rows, addTest),
});
export const describe = Object.assign(
  (name: string, ...more: readonly unknown[]) => addGroup(name, body(more)),
  { each: (rows: readonly unknown[]) => eachOf(rows, addGroup) },
);
export const beforeAll = (step: Body): number => collection().group.beforeAll.push(step);
export const afterAll = (step: Body): number => collection().group.afterAll.push(step);
export const onTestFinished = (step: Body): number => collection().finishing.push(step);
export const vi = { fn: real.fn, waitFor };

/** Options may stand before the body, or a time limit behind it. */
function body(more: readonly unknown[]): Body {
  const found = more.find((one) => typeof one === "function");
  if (found === undefined) throw new Error("A test without a body");
  return found as Body;
}

function eachOf(rows: readonly unknown[], add: (name: string, run: Body) => void) {
  return (name: string, ...more: readonly unknown[]): void => {
    const run = body(more);
    for (const [at, row] of rows.entries())
      add(`${name} #${at}`, () => (Array.isArray(row) ? run(...(row as unknown[])) : run(row)));
  };
}

const WAIT_MS = 5_000;

async function waitFor(
  look: () => unknown,
  { timeout = WAIT_MS, interval = 20 }: { readonly timeout?: number; readonly interval?: number } = {},
): Promise<unknown> {
  const endMs = performance.now() + timeout;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (performance.now() > endMs) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, interval));
  }
}
