import type { HostCalls, HostContext } from "./host-context.ts";
import { ERRNO, refuse } from "./wasi-errno.ts";

const SUBSCRIPTION_BYTES = 48;
const EVENT_BYTES = 32;
/** Subscriptions in one call: more than any program uses. */
const SUBSCRIPTIONS = 4096;
const CLOCK = 0;
const READ = 1;

interface Event {
  readonly userdata: bigint;
  readonly errno: number;
  readonly type: number;
  readonly bytes: bigint;
}

interface Timer {
  readonly userdata: bigint;
  readonly nanoseconds: bigint;
}

/** Waiting: for time to pass, and for input to arrive. */
export function pollCalls({ memory, descriptors, clock, signal }: HostContext): HostCalls {
  const readTimer = (at: number): Timer => {
    const id = memory.u32(at + 16);
    if (id > 3) refuse("EINVAL");
    const timeout = memory.u64(at + 24);
    const absolute = (memory.u16(at + 40) & 1) === 1;
    const now = id === 0 ? clock.realtime() : clock.monotonic();
    const left = absolute ? timeout - now : timeout;
    return { userdata: memory.u64(at), nanoseconds: left > 0n ? left : 0n };
  };

  /** What a descriptor has to say now, or a promise of when it will. */
  const ask = (at: number): Event | { readonly later: Promise<void>; readonly event: Event } => {
    const userdata = memory.u64(at);
    const type = memory.u8(at + 8);
    const fd = memory.u32(at + 16);
    try {
      const descriptor = descriptors.get(fd);
      if (descriptor.kind === "file" && type === READ) {
        const { size } = descriptor.file.stat();
        const left = descriptor.file.kind === "file" ? size - descriptor.file.seek(0, "current") : 1;
        return { userdata, errno: 0, type, bytes: BigInt(Math.max(0, left)) };
      }
      const event = { userdata, errno: 0, type, bytes: 1n };
      const ready =
        descriptor.kind === "input" && type === READ ? (descriptor.source.ready?.() ?? true) : true;
      return ready === true ? event : { later: ready, event };
    } catch {
      return { userdata, errno: ERRNO.EBADF, type, bytes: 0n };
    }
  };

  const answer = (events: readonly Event[], out: number, countAt: number): void => {
    for (const [index, event] of events.entries()) {
      const at = out + index * EVENT_BYTES;
      memory.bytes(at, EVENT_BYTES).fill(0);
      memory.setU64(at, event.userdata);
      memory.setU16(at + 8, event.errno);
      memory.setU8(at + 10, event.type);
      memory.setU64(at + 16, event.bytes);
    }
    memory.setU32(countAt, events.length);
  };

  return {
    poll_oneoff(subscriptions: number, out: number, count: number, countAt: number) {
      if (count === 0 || count > SUBSCRIPTIONS) refuse("EINVAL");
      const timers: Timer[] = [];
      const ready: Event[] = [];
      const later: { readonly later: Promise<void>; readonly event: Event }[] = [];
      for (let index = 0; index < count; index += 1) {
        const at = subscriptions + index * SUBSCRIPTION_BYTES;
        if (memory.u8(at + 8) === CLOCK) timers.push(readTimer(at));
        else {
          const asked = ask(at);
          if ("later" in asked) later.push(asked);
          else ready.push(asked);
        }
      }
      if (ready.length > 0) return answer(ready, out, countAt);
      const soonest = timers.reduce<bigint | undefined>(
        (least, { nanoseconds }) => (least === undefined || nanoseconds < least ? nanoseconds : least),
        undefined,
      );
      const due = (): Event[] =>
        timers
          .filter(({ nanoseconds }) => nanoseconds === soonest)
          .map(({ userdata }) => ({ userdata, errno: 0, type: CLOCK, bytes: 0n }));
      if (later.length === 0) {
        const slept = soonest === undefined || soonest === 0n ? undefined : clock.sleep(soonest, signal);
        return slept === undefined
          ? answer(due(), out, countAt)
          : slept.then(() => answer(due(), out, countAt));
      }
      return firstOf(later, soonest).then((events) => answer(events ?? due(), out, countAt));
    },
  };

  /** The event of the first descriptor that has something; `undefined` if the time is up before. */
  async function firstOf(
    later: readonly { readonly later: Promise<void>; readonly event: Event }[],
    soonest: bigint | undefined,
  ): Promise<readonly Event[] | undefined> {
    const over = new AbortController();
    const waits: Promise<readonly Event[] | undefined>[] = later.map((one) =>
      one.later.then(() => [one.event]),
    );
    if (soonest !== undefined) {
      const slept = clock.sleep(soonest, AbortSignal.any([signal, over.signal]));
      // A sleep that is given up has nobody left to tell.
      waits.push(Promise.resolve(slept).then(() => undefined));
    }
    for (const wait of waits) wait.catch(() => undefined);
    try {
      return await Promise.race(waits);
    } finally {
      over.abort();
    }
  }
}
