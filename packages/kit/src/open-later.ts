/** Something that is opened when it is first needed, and closed if it ever was. */
export interface Later<T> extends AsyncDisposable {
  /** Opens it, once; after a failure, the next call tries again. Rejects as `open` does. */
  get(): Promise<T>;
}

export function openLater<T extends AsyncDisposable>(open: () => Promise<T>): Later<T> {
  let opened: Promise<T> | undefined;
  return {
    get() {
      opened ??= open().catch((error: unknown) => {
        opened = undefined;
        throw error;
      });
      return opened;
    },
    async [Symbol.asyncDispose]() {
      const value = await opened?.catch(() => undefined);
      await value?.[Symbol.asyncDispose]();
    },
  };
}
