/** Knows when everything there is waits. */
export interface WaitingCount {
  add(): { setWaiting(isWaiting: boolean): void; remove(): void };
}

/** `onAllWaiting` is called each time the last one that did not wait begins to, or goes. */
export function createWaitingCount(onAllWaiting: () => void): WaitingCount {
  let all = 0;
  let waiting = 0;
  const look = (): void => {
    if (all > 0 && waiting === all) onAllWaiting();
  };
  return {
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
