import type { Clock } from "@deputy/kit";

/** Tells one Ctrl-C from two. */
export interface Interrupts {
  press(): "first" | "leave";
  /** Whoever goes on talking does not want to leave: the next press is a first one. */
  forget(): void;
}

/** Two presses within this time are one wish to leave. */
const TWICE_MS = 3_000;

export function createInterrupts(clock: Pick<Clock, "monotonicMs">): Interrupts {
  let pressedAtMs: number | undefined;
  return {
    press() {
      const nowMs = clock.monotonicMs();
      const isSecond = pressedAtMs !== undefined && nowMs - pressedAtMs <= TWICE_MS;
      pressedAtMs = isSecond ? undefined : nowMs;
      return isSecond ? "leave" : "first";
    },
    forget() {
      pressedAtMs = undefined;
    },
  };
}
