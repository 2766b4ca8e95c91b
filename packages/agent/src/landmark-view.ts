import { type CanonicalEvent, type EventLog, type LandmarkType, readEvent } from "@deputy/protocol";

/** A projection over all streams, brought up to date on each look from where it was the last time. */
export interface LandmarkView<State> {
  /** The state as of now, and the position it includes. */
  current(): Promise<{ readonly state: State; readonly position: number }>;
}

/** `apply` folds one landmark into the state in place. Looks are cheap: only what is new is read. */
export function createLandmarkView<State>(
  log: Pick<EventLog, "readAll">,
  types: readonly LandmarkType[],
  state: State,
  apply: (state: State, event: CanonicalEvent) => void,
): LandmarkView<State> {
  let position = 0;
  let catchingUp = Promise.resolve();

  const catchUp = async (): Promise<void> => {
    for await (const item of log.readAll({ after: position, types })) {
      position = item.position;
      const read = readEvent(item.event);
      if (read.kind === "known") apply(state, read.event);
    }
  };

  return {
    async current() {
      // One reader at a time, so that no landmark is folded in twice.
      const mine = catchingUp.catch(() => undefined).then(catchUp);
      catchingUp = mine;
      await mine;
      return { state, position };
    },
  };
}
