import type { Clock } from "@deputy/kit";
import type { Model, StopReason } from "@deputy/model";
import type { FakeWire } from "./fake/fake-wire.ts";

/** What a wire's implementation provides for the tests; the model must not retry by itself. */
export interface WireHarness {
  readonly createFake: () => FakeWire;
  readonly createModel: (options: WireModelOptions) => Model;
  /** Ways to end early that the wire has words for. */
  readonly stops: readonly StopReason[];
  /** What stands between two sections of reasoning when it is read as one text, spaces folded. */
  readonly sectionBreak: string;
  /** Whether the provider wants its reasoning back. */
  readonly wantsReasoning: boolean;
  /** Whether it requires a key, and refuses a wrong one. */
  readonly wantsKey: boolean;
  /** Whether it passes arguments on as the model wrote them, or parses them itself. */
  readonly passesArguments: boolean;
  /** The beginning of the sentences that users read. */
  readonly providerName: string;
  /** Events that are invalid on this wire: of the wrong shape, or out of order. */
  readonly nonsense: readonly string[];
}

export interface WireModelOptions {
  readonly origin: string;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly apiKey: string;
  readonly silenceMs: number;
}
