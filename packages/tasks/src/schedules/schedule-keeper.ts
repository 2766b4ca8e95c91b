import { abortReason, type Clock, type TaskId } from "@deputy/kit";
import type { Schedule } from "@deputy/protocol";
import { decideSlots, firstDue, lastSlotOf, type SlotAnswer, type SlotDecision } from "./decide-slots.ts";

export type { SlotDecision } from "./decide-slots.ts";

/** Decides every slot of every schedule it is given once, when it is due. After closing, all methods do nothing. */
export interface ScheduleKeeper<Id extends string = TaskId> extends AsyncDisposable {
  /**
   * Adds a schedule, or replaces an earlier one. Slots that are already due are decided at once. A schedule that can
   * no longer be computed, for example because its zone no longer exists, is reported as a bug, and is never due.
   */
  set(taskId: Id, schedule: Schedule, since: KeptSince): void;
  /** A running decision is finished; after that the task has no more slots. */
  remove(taskId: Id): void;
  /** The next undecided slot, without jitter; undefined if there is none. */
  next(taskId: Id): number | undefined;
}

export interface KeptSince {
  readonly createdMs: number;
  /** The newest decided slot: the last event's `untilAt`, or its `dueAt`. */
  readonly lastSlotMs?: number | undefined;
}

export interface ScheduleKeeperDeps<Id extends string = TaskId> {
  readonly clock: Clock;
  /**
   * Makes slots durable, then starts the work. All slots of a task that are due at the same time come together, and
   * the task's next ones come only after this has resolved. When it rejects, it is called again with the same slots,
   * with growing waits, until it resolves. So it must treat a slot that it already has as done.
   */
  readonly decided: (
    taskId: Id,
    decisions: readonly SlotDecision[],
    /** The next slot, without jitter. */
    nextSlotMs: number | undefined,
    signal: AbortSignal,
  ) => Promise<void>;
  readonly isRunning: (taskId: Id) => boolean;
  /** Default: a minute. Use a longer time for a clock that runs so fast that a minute is too short. */
  readonly onTimeMs?: number | undefined;
  /** How many of its firings wait for the running one to end; default none. */
  readonly waiting?: (taskId: Id) => number;
  /** True while its due slots are all skipped; default never. */
  readonly isPaused?: (taskId: Id) => boolean;
  /** Called once for each time that `decided` begins to fail. */
  readonly onBug: (error: unknown) => void;
  /** Its abort closes the keeper. */
  readonly signal: AbortSignal;
}

/** A clock that was set, or that stood still with the machine, is noticed after this time. */
export const LONGEST_NAP_MS = 30_000;
/** How many tasks are decided at a time. Those that wait for another attempt do not count. */
const MOST_AT_ONCE = 32;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

interface Kept<Id extends string> extends Due {
  readonly taskId: Id;
  schedule: Schedule;
  createdMs: number;
  lastSlotMs: number | undefined;
  slotMs: number | undefined;
  /** Slots that are not durable yet. */
  pending: { readonly answer: SlotAnswer | undefined; failures: number } | undefined;
  isCalling: boolean;
  isRemoved: boolean;
}

export function createScheduleKeeper<Id extends string = TaskId>(
  deps: ScheduleKeeperDeps<Id>,
): ScheduleKeeper<Id> {
  const { clock } = deps;
  const closing = new AbortController();
  const { signal } = closing;
  const kept = new Map<Id, Kept<Id>>();
  /** Ordered by the wall clock. */
  const waiting = createDueHeap<Kept<Id>>();
  /** Ordered by the monotonic clock: setting the wall clock does not make a retry wait longer. */
  const retrying = createDueHeap<Kept<Id>>();
  const calls = new Set<Promise<void>>();
  let nap = { signal: new AbortController(), untilMs: -Infinity };

  const wake = (): void => nap.signal.abort();

  /** To be decided when its next slot is due. */
  const wait = (one: Kept<Id>): void => {
    one.slotMs = undefined;
    const next = firstDue(one);
    one.slotMs = next?.slotMs;
    if (next === undefined) return;
    one.dueMs = next.dueMs;
    waiting.add(one);
    if (one.dueMs < nap.untilMs) wake();
  };

  const decide = ({ taskId, schedule, createdMs, lastSlotMs }: Kept<Id>): SlotAnswer =>
    decideSlots({
      taskId,
      schedule,
      createdMs,
      lastSlotMs,
      nowMs: clock.now(),
      isRunning: deps.isRunning(taskId),
      waiting: deps.waiting?.(taskId) ?? 0,
      onTimeMs: deps.onTimeMs,
      skipAll: deps.isPaused?.(taskId) === true ? "paused" : undefined,
    });

  const settle = (one: Kept<Id>): void => {
    const last = one.pending?.answer?.decisions.at(-1);
    if (last !== undefined) one.lastSlotMs = Math.max(one.lastSlotMs ?? -Infinity, lastSlotOf(last));
    one.pending = undefined;
    if (one.isRemoved) kept.delete(one.taskId);
    else wait(one);
  };

  const tryAgain = (one: Kept<Id>, error: unknown): void => {
    one.pending ??= { answer: undefined, failures: 0 };
    if (++one.pending.failures === 1) deps.onBug(error);
    if (one.isRemoved) {
      kept.delete(one.taskId);
      return;
    }
    const backoffMs = Math.min(FIRST_RETRY_MS * 2 ** (one.pending.failures - 1), LONGEST_RETRY_MS);
    one.dueMs = clock.monotonicMs() + backoffMs;
    retrying.add(one);
  };

  const call = async (one: Kept<Id>): Promise<void> => {
    one.isCalling = true;
    try {
      const answer = one.pending?.answer ?? decide(one);
      one.pending = { answer, failures: one.pending?.failures ?? 0 };
      if (answer.decisions.length > 0)
        await deps.decided(one.taskId, answer.decisions, answer.next?.slotMs, signal);
      one.isCalling = false;
      if (!signal.aborted) settle(one);
    } catch (error) {
      one.isCalling = false;
      if (!signal.aborted) tryAgain(one, error);
    }
  };

  const start = (one: Kept<Id>): void => {
    const running = call(one).finally(() => {
      calls.delete(running);
      wake();
    });
    calls.add(running);
  };

  const startDue = (): void => {
    for (const [heap, nowMs] of [
      [retrying, clock.monotonicMs()],
      [waiting, clock.now()],
    ] as const) {
      for (let one = heap.first; one !== undefined && one.dueMs <= nowMs; one = heap.first) {
        if (calls.size >= MOST_AT_ONCE) return;
        heap.remove(one);
        start(one);
      }
    }
  };

  /** Sleeps until something is due, at most for the longest nap; a call that ends wakes it too. */
  const sleep = async (): Promise<void> => {
    const nowMs = clock.now();
    const retryMs = (retrying.first?.dueMs ?? Infinity) - clock.monotonicMs();
    const dueMs = (waiting.first?.dueMs ?? Infinity) - nowMs;
    const isFull = calls.size >= MOST_AT_ONCE;
    const napMs = isFull ? LONGEST_NAP_MS : Math.min(LONGEST_NAP_MS, retryMs, dueMs);
    nap = { signal: new AbortController(), untilMs: nowMs + napMs };
    await clock.sleep(napMs, nap.signal.signal).catch(() => undefined);
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      startDue();
      await sleep();
    }
  };

  const close = (): void => {
    closing.abort(
      deps.signal.aborted ? abortReason(deps.signal) : new DOMException("Schedules closed", "AbortError"),
    );
    wake();
  };
  deps.signal.addEventListener("abort", close, { once: true });
  const running = deps.signal.aborted ? close() : run();

  return {
    set(taskId, schedule, { createdMs, lastSlotMs }) {
      if (signal.aborted) return;
      const one = kept.get(taskId) ?? {
        taskId,
        schedule,
        createdMs,
        lastSlotMs: undefined,
        slotMs: undefined,
        dueMs: 0,
        position: -1,
        pending: undefined,
        isCalling: false,
        isRemoved: false,
      };
      waiting.remove(one);
      Object.assign(one, { schedule, createdMs, isRemoved: false });
      if (lastSlotMs !== undefined) one.lastSlotMs = Math.max(one.lastSlotMs ?? -Infinity, lastSlotMs);
      // A running decision goes first.
      kept.set(taskId, one);
      if (one.pending !== undefined || one.isCalling) return;
      try {
        wait(one);
      } catch (error) {
        deps.onBug(error);
      }
    },
    remove(taskId) {
      const one = kept.get(taskId);
      if (one === undefined) return;
      waiting.remove(one);
      retrying.remove(one);
      one.isRemoved = true;
      if (!one.isCalling) kept.delete(taskId);
    },
    next(taskId) {
      const one = kept.get(taskId);
      return one === undefined || one.isRemoved ? undefined : one.slotMs;
    },
    async [Symbol.asyncDispose]() {
      deps.signal.removeEventListener("abort", close);
      close();
      await running;
      await Promise.allSettled(calls);
    },
  };
}

/** Entries that wait for their time, the earliest first. Any of them can be removed. */
interface DueHeap<T extends Due> {
  readonly first: T | undefined;
  /** It must not be in a heap. */
  add(item: T): void;
  /** Does nothing when it is not in this heap. */
  remove(item: T): void;
}

export interface Due {
  /** Must not change while it is in a heap. */
  dueMs: number;
  /** Used by the heap: its index. -1 outside. */
  position: number;
}

/** A binary heap. */
export function createDueHeap<T extends Due>(): DueHeap<T> {
  const items: T[] = [];

  const place = (item: T, position: number): void => {
    items[position] = item;
    item.position = position;
  };

  /** Moves up while it is due before its parent. */
  const rise = (item: T, from: number): void => {
    let position = from;
    while (position > 0) {
      const parent = items[(position - 1) >> 1];
      if (parent === undefined || parent.dueMs <= item.dueMs) break;
      place(parent, position);
      position = (position - 1) >> 1;
    }
    place(item, position);
  };

  const sink = (item: T, from: number): void => {
    let position = from;
    for (;;) {
      const left = 2 * position + 1;
      const [a, b] = [items[left], items[left + 1]];
      if (a === undefined) break;
      const child = b !== undefined && b.dueMs < a.dueMs ? b : a;
      if (child.dueMs >= item.dueMs) break;
      const to = child === a ? left : left + 1;
      place(child, position);
      position = to;
    }
    place(item, position);
  };

  return {
    get first() {
      return items[0];
    },
    add: (item) => rise(item, items.length),
    remove(item) {
      const { position } = item;
      if (items[position] !== item) return;
      const last = items.pop();
      item.position = -1;
      if (last === undefined || last === item) return;
      rise(last, position);
      sink(last, last.position);
    },
  };
}
