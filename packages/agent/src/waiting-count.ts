/** Knows when everything there is waits. */
export interface WaitingCount {
  add(): { setWaiting(isWaiting: boolean): void; remove(): void };
  /** There is something, and all of it waits. */
  isAll(): boolean;
}

/** `onAllWaiting` is called a moment after the last one that did not wait begins to, or goes; once for many. */
export function createWaitingCount(onAllWaiting: () => void): WaitingCount {
  let all = 0;
  let waiting = 0;
  let isDue = false;
  const isAll = (): boolean => all > 0 && waiting === all;
  const look = (): void => {
    if (isDue || !isAll()) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      if (isAll()) onAllWaiting();
    });
  };
  return {
    isAll,
    add() {
      all += 1;
      let isWaiting = false;
      const setWaiting = (now: boolean): void => {
        if (now === isWaiting) return;
        isWaiting = now;
        waiting += now ? 1 : -1;
        if (now) look();
      };
      return {
        setWaiting,
        remove() {
          setWaiting(false);
          all -= 1;
          look();
        },
      };
    },
  };
}
