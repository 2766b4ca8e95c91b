import {
  type CanonicalEvent,
  type EventLog,
  type IndexedEventType,
  readEvent,
  type ViewSnapshot,
} from "@deputy/protocol";

/** A projection over all streams, brought up to date on each look from where it was the last time. */
export interface LogView<State> {
  /** The state as of now, and the position it includes. */
  current(): Promise<{ readonly state: State; readonly position: number }>;
}

/**
 * Under what name a view is kept from one process to the next, so that a start reads only what is new. The name
 * changes whenever what `apply` makes of an event does, or what the state looks like. What is kept must be small:
 * what ended long ago has no place in it.
 */
export interface KeptAs<State> {
  readonly name: string;
  /** Converts the state to JSON. Absent: the state is written as it is, with its maps and sets. */
  readonly pack?: (state: State) => unknown;
  /** Fills the empty state in place with what was packed. */
  readonly unpack?: (state: State, packed: unknown) => void;
}

/** A start reads at most this many events again. A smaller number would mean writing the state more often. */
const KEEP_EVERY = 500;

/** `apply` adds one event to the state in place. Reading the view is cheap: only new events are read. */
export function createLogView<State extends object>(
  log: Pick<EventLog, "readAll" | "snapshots">,
  types: readonly IndexedEventType[],
  state: State,
  apply: (state: State, event: CanonicalEvent) => void,
  keptAs?: KeptAs<State>,
): LogView<State> {
  const { snapshots } = log;
  let position = 0;
  let unkept = 0;
  let isRestored = keptAs === undefined || snapshots === undefined;
  let catchingUp = Promise.resolve();

  const restore = async ({ name, unpack = unpackState }: KeptAs<State>): Promise<void> => {
    const kept = await loadFitting(log, types, name);
    if (kept === undefined) return;
    try {
      unpack(state, kept.state);
    } catch {
      return; // Of another version.
    }
    ({ position } = kept);
  };

  const catchUp = async (): Promise<void> => {
    if (!isRestored && keptAs !== undefined) await restore(keptAs);
    isRestored = true;
    let last: ViewSnapshot["eventId"] | undefined;
    for await (const item of log.readAll({ after: position, types })) {
      position = item.position;
      last = item.event.id;
      unkept += 1;
      const read = readEvent(item.event);
      if (read.kind === "known") apply(state, read.event);
    }
    if (keptAs === undefined || snapshots === undefined || last === undefined || unkept < KEEP_EVERY) return;
    unkept = 0;
    const { name, pack = packState } = keptAs;
    await snapshots.save(name, { position, eventId: last, state: pack(state) });
  };

  return {
    async current() {
      // One reader at a time, so that no event is added twice.
      const mine = catchingUp.catch(() => undefined).then(catchUp);
      catchingUp = mine;
      await mine;
      return { state, position };
    },
  };
}

/** A snapshot counts if the event that it ends with is where it was: then this is the log that it was made of. */
export async function loadFitting(
  log: Pick<EventLog, "readAll" | "snapshots">,
  types: readonly IndexedEventType[],
  name: string,
): Promise<ViewSnapshot | undefined> {
  const kept = await log.snapshots?.load(name);
  if (kept === undefined) return undefined;
  const { position, eventId } = kept;
  for await (const item of log.readAll({ after: position - 1, types }))
    return item.position === position && item.event.id === eventId ? kept : undefined;
  return undefined;
}

/** A state with its maps and sets as JSON has it. What is in it twice comes back as two. */
export function packState(value: unknown): unknown {
  if (value instanceof Map) return { map: [...value].map(([key, one]) => [key, packState(one)]) };
  if (value instanceof Set) return { set: [...value] };
  if (Array.isArray(value)) return { list: value.map(packState) };
  if (typeof value !== "object" || value === null) return value;
  return { of: Object.fromEntries(Object.entries(value).map(([key, one]) => [key, packState(one)])) };
}

/** Fills an empty state of the same shape, in place. */
export function unpackState(state: object, packed: unknown): void {
  const value = unpackValue(packed);
  if (state instanceof Map && value instanceof Map) for (const [key, one] of value) state.set(key, one);
  else if (state instanceof Set && value instanceof Set) for (const one of value) state.add(one);
  else if (typeof value === "object" && value !== null && value.constructor === state.constructor)
    for (const [key, one] of Object.entries(value)) put(state, key, one);
  else throw new Error("What was kept of a view is of another shape");
}

/** Maps and sets that others hold on to are filled, not replaced. */
function put(state: object, key: string, value: unknown): void {
  const there: unknown = Reflect.get(state, key);
  if (there instanceof Map && value instanceof Map) for (const [name, one] of value) there.set(name, one);
  else if (there instanceof Set && value instanceof Set) for (const one of value) there.add(one);
  else Reflect.set(state, key, value);
}

export function unpackValue(packed: unknown): unknown {
  if (typeof packed !== "object" || packed === null) return packed;
  if ("map" in packed)
    return new Map((packed.map as [unknown, unknown][]).map(([key, one]) => [key, unpackValue(one)]));
  if ("set" in packed) return new Set(packed.set as unknown[]);
  if ("list" in packed) return (packed.list as unknown[]).map(unpackValue);
  const { of } = packed as { of: Record<string, unknown> };
  return Object.fromEntries(Object.entries(of).map(([key, one]) => [key, unpackValue(one)]));
}
