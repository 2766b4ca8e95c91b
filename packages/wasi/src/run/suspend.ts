/** JSPI: a program in WebAssembly waits for a promise. Browsers and newer versions of Node have it. */
interface Jspi {
  Suspending: new (call: (...args: never[]) => unknown) => WebAssembly.ImportValue;
  promising(start: CallableFunction): () => Promise<unknown>;
}

/** `undefined` where programs cannot wait. */
export function findJspi(): Jspi | undefined {
  return "Suspending" in WebAssembly && "promising" in WebAssembly
    ? (WebAssembly as unknown as Jspi)
    : undefined;
}
