import { AsyncLocalStorage } from "node:async_hooks";
import { WorldError } from "../world-error.ts";
import type { WorldStore } from "../world-store.ts";
import type { CreateEvent } from "../events/create-event.ts";
import { type Delivery, type DeliveryScope, DeliveryStopped } from "./delivery.ts";
import type { Message, MessageKind } from "./queue-rows.ts";

export type MessageHandler = (
  message: unknown,
  meta: { readonly attempt: number; readonly queueName: string; readonly messageId: string },
) => Promise<void | { readonly timeoutSeconds: number }>;

/** Hands due messages to their handlers and ends sleeps, with one timer for what is due next. */
export interface Dispatcher {
  handle(prefix: string, handler: MessageHandler): void;
  /**
   * Takes over what others were delivering: only the process that opened the World last works in it.
   * Idempotent.
   */
  start(): void;
  /** Call it when something may be due. */
  pump(): void;
  /** Tells the deliveries of a run to stop. */
  cancel(run: string): void;
  /** Delivers nothing more, tells running deliveries to stop, and waits for them up to the limit. Idempotent. */
  stop(): Promise<void>;
  readonly busy: boolean;
}

const LEASE_MS = 30_000;
const BEAT_MS = 10_000;
/** A clock that was set is noticed within this time. */
const LONGEST_NAP_MS = 30_000;
const SLEEPS_AT_ONCE = 100;
const STOP_MS = 5_000;
const AFTER_FAILURE_MS = 1_000;
/** Concurrent deliveries. Workflows run for milliseconds, steps for as long as they like. */
const LANES: Readonly<Record<MessageKind, number>> = { workflow: 8, step: 256 };
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 60_000;

interface Claimed {
  readonly message: Message;
  readonly lease: string;
}

interface Running {
  readonly delivery: Delivery;
  readonly message: Message;
  readonly stopper: AbortController;
  readonly done: Promise<void>;
}

export function createDispatcher(deps: {
  readonly store: WorldStore;
  readonly scope: DeliveryScope;
  readonly createEvent: CreateEvent;
  /** Differs from that of any other dispatcher. */
  readonly worker: string;
  readonly onBug: (error: unknown) => void;
}): Dispatcher {
  const { store, scope, onBug } = deps;
  const { db, queue, now } = store;
  const handlers = new Map<string, MessageHandler>();
  const running = new Map<number, Running>();
  let state: "idle" | "started" | "stopped" = "idle";
  let isPumped = false;
  let deliveries = 0;
  let nap: NodeJS.Timeout | undefined;
  let beat: NodeJS.Timeout | undefined;
  let lastBeatMs = 0;

  /** A delivery runs outside the asynchronous context of the delivery that requested it. */
  const atRoot = AsyncLocalStorage.snapshot();

  /**
   * A failure here comes from the disk or is a bug: it is reported, and retried a little later unless the
   * disk is given up.
   */
  const guarded = (attempt: () => void): void => {
    try {
      attempt();
    } catch (error) {
      // The World was closed while this delivery was running: the next start delivers it again.
      if (error instanceof WorldError && error.code === "world_closed") return;
      onBug(error);
      if (error instanceof WorldError && error.code !== "world_full") return;
      clearTimeout(nap);
      nap = setTimeout(tick, AFTER_FAILURE_MS);
    }
  };

  const tick = (): void => atRoot(work);
  const work = (): void => {
    isPumped = false;
    if (state !== "started") return;
    clearTimeout(nap);
    nap = undefined;
    guarded(() => {
      if (running.size > 0 && now() - lastBeatMs > BEAT_MS) renewLeases();
      endSleeps();
      for (const claimed of claimAll()) void deliver(claimed);
      napUntilNext();
    });
  };

  const endSleeps = (): void => {
    const due = store.waits.due(now(), SLEEPS_AT_ONCE);
    if (due.length === 0) return;
    db.write("sleeps_ended", "full", () => {
      for (const { run, correlation: correlationId, wait } of due) {
        const eventData = wait.resumeAt === undefined ? {} : { resumeAt: wait.resumeAt };
        deps.createEvent(run, { eventType: "wait_completed", correlationId, eventData });
      }
    });
    if (due.length === SLEEPS_AT_ONCE) pump();
  };

  const claimAll = (): readonly Claimed[] => {
    const find = (): readonly Message[] =>
      (Object.keys(LANES) as MessageKind[]).flatMap((kind) => {
        const busy = [...running.values()].filter(({ message }) => message.kind === kind).length;
        const ready = busy >= LANES[kind] ? [] : queue.claimable(kind, now(), LANES[kind] - busy);
        return ready.filter(({ id }) => !running.has(id));
      });
    if (find().length === 0) return [];
    // Read again inside the transaction, where no other process can claim it.
    return db.write("claim", "relaxed", () =>
      find().map((message) => {
        const lease = `${deps.worker}:${(deliveries += 1)}`;
        queue.claim(message, lease, now() + LEASE_MS);
        return { message, lease };
      }),
    );
  };

  const deliver = async ({ message, lease }: Claimed): Promise<void> => {
    const stopper = new AbortController();
    const { id, run } = message;
    const delivery: Delivery = { id, run, lease, signal: stopper.signal, onStepEnd: undefined };
    const { promise: done, resolve } = Promise.withResolvers<void>();
    running.set(id, { delivery, message, stopper, done });
    if (beat === undefined) {
      lastBeatMs = now();
      beat = setInterval(() => guarded(renewLeases), BEAT_MS);
    }
    const after = await handleOne(message, delivery);
    guarded(() => db.write(after.name, "relaxed", after.settle));
    running.delete(id);
    if (running.size === 0) {
      clearInterval(beat);
      beat = undefined;
    }
    resolve();
    pump();
  };

  const handleOne = async (message: Message, delivery: Delivery) => {
    const { id, lease } = delivery;
    try {
      const handler = [...handlers].find(([prefix]) => message.name.startsWith(prefix))?.[1];
      if (handler === undefined) throw new Error(`Nobody handles ${message.name}`);
      const meta = { attempt: message.failures + 1, queueName: message.name, messageId: `msg_${id}` };
      const again = await scope.run(delivery, () => handler(message.body, meta));
      // The end of its sleep wakes a sleeping workflow, to the millisecond.
      if (again === undefined || (message.kind === "workflow" && again.timeoutSeconds > 0))
        return { name: "ack", settle: () => queue.remove(id, lease) };
      return {
        name: "again",
        settle: () => queue.release(id, lease, now() + again.timeoutSeconds * 1_000, 0),
      };
    } catch (error) {
      if (delivery.signal.reason instanceof DeliveryStopped)
        return { name: "give_back", settle: () => queue.release(id, lease, now(), message.failures) };
      onBug(error);
      const failures = message.failures + 1;
      const delayMs = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(message.failures, 10));
      return { name: "retry", settle: () => queue.release(id, lease, now() + delayMs, failures) };
    }
  };

  const renewLeases = (): void => {
    lastBeatMs = now();
    db.write("renew", "relaxed", () => {
      for (const { delivery, stopper } of running.values())
        if (!queue.renew(delivery.id, delivery.lease, now() + LEASE_MS))
          stopper.abort(new DeliveryStopped("lease_lost"));
    });
  };

  const napUntilNext = (): void => {
    const times = [store.waits.next(), queue.next(now())].filter((time) => time !== undefined);
    if (times.length === 0) return;
    const napMs = Math.min(Math.max(Math.min(...times) - now(), 0), LONGEST_NAP_MS);
    nap = setTimeout(tick, napMs);
  };

  const pump = (): void => {
    if (isPumped || state !== "started") return;
    isPumped = true;
    setImmediate(tick);
  };

  return {
    handle: (prefix, handler) => void handlers.set(prefix, handler),
    start() {
      if (state !== "idle") return;
      state = "started";
      db.write("take_over", "relaxed", () => queue.endLeases(now()));
      pump();
    },
    pump,
    cancel(run) {
      for (const { delivery, stopper } of running.values())
        if (delivery.run === run) stopper.abort(new DeliveryStopped("cancelled"));
    },
    async stop() {
      state = "stopped";
      clearTimeout(nap);
      for (const { stopper } of running.values()) stopper.abort(new DeliveryStopped("suspended"));
      const all = Promise.all([...running.values()].map(({ done }) => done));
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, STOP_MS);
      await Promise.race([all, late]);
      clearTimeout(timer);
      clearInterval(beat);
    },
    get busy() {
      return running.size > 0 || isPumped;
    },
  };
}
