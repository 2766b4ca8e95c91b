import { describe } from "vitest";
import { describeAppending } from "./append-rules.ts";
import { describeDeltas } from "./delta-rules.ts";
import { describeErasing } from "./erase-rules.ts";
import type { OpenLog } from "./log-harness.ts";
import { describeReading } from "./read-rules.ts";
import { describeSubscribing } from "./subscribe-rules.ts";

/** Everything the port promises, run against one implementation. The rules L1… are in `packages/store/SPEC.md`. */
export function describeEventLog(name: string, open: OpenLog): void {
  describe(`event log: ${name}`, () => {
    describeAppending(open);
    describeReading(open);
    describeErasing(open);
    describeSubscribing(open);
    describeDeltas(open);
  });
}
