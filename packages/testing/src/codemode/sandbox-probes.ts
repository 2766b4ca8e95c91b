import type { Sandbox } from "@deputy/codemode";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openProbeRange, probeFamilies, type ProbeRange } from "./probes/index.ts";

/** Part of what every sandbox must do: withstand each probe. Separate because it takes long. */
export function describeSandboxProbes(name: string, create: () => Sandbox): void {
  describe(name, () => {
    let sandbox: Sandbox;
    beforeAll(() => {
      sandbox = create();
    });
    afterAll(() => sandbox[Symbol.asyncDispose]());

    describe.each(probeFamilies)("$name", ({ probes }) => {
      let range: ProbeRange;
      beforeAll(async () => {
        range = await openProbeRange(sandbox);
      });
      afterAll(async () => {
        expect(await range.close()).toEqual([]);
      });
      test.each(probes)("$title", async (probe) => {
        expect(await range.fire(probe)).toEqual([]);
      });
    });
  });
}
