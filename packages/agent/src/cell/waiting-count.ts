/** Knows when everything there is waits. */
export interface WaitingCount {
  add(): { setWaiting(isWaiting: boolean): void; remove(): void };
  /** True when there is at least one, and all of them wait. */
  isAll(): boolean;
}

/**
 * `onAllWaiting` is called a moment after the last one that did not wait begins to, or goes; once for many.
 * `onChange` at once whenever it comes to be so, and when it no longer is.
 */
export function createWaitingCount(
  onAllWaiting: () => void,
  onChange: (isAll: boolean) => void = () => undefined,
): WaitingCount {
  let all = 0;
  let waiting = 0;
  let isDue = false;
  let wasAll = false;
  const isAll = (): boolean => all > 0 && waiting === all;
  const look = (): void => {
    if (isAll() !== wasAll) {
      wasAll = !wasAll;
      onChange(wasAll);
    }
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
      look();
      let isWaiting = false;
      const setWaiting = (now: boolean): void => {
        if (now === isWaiting) return;
        isWaiting = now;
        waiting += now ? 1 : -1;
        look();
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
