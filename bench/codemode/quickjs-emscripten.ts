import { loadPeer, peerLabel } from "./peers.ts";
import { answerJson, PEER_PRELUDE, type Run } from "./program.ts";

/** The used part of the peer, which has no types here. */
interface QuickJsModule {
  getQuickJS(): Promise<{ newContext(): Context }>;
}
interface Handle {
  dispose(): void;
}
interface Deferred {
  readonly handle: Handle;
  readonly settled: Promise<void>;
  resolve(value: Handle): void;
}
interface Context {
  readonly global: Handle;
  readonly runtime: { executePendingJobs(): unknown };
  evalCode(code: string): unknown;
  unwrapResult(result: unknown): Handle;
  getString(handle: Handle): string;
  newString(text: string): Handle;
  newPromise(): Deferred;
  newFunction(name: string, work: (argument: Handle) => Handle): Handle;
  setProp(object: Handle, name: string, value: Handle): void;
  resolvePromise(promise: Handle): Promise<unknown>;
  dispose(): void;
}

/** As its documentation shows asynchronous functions; undefined when it is not available. */
export async function openQuickJsEmscripten(): Promise<readonly [string, Run] | undefined> {
  const loaded = (await loadPeer("quickjs-emscripten")) as QuickJsModule | undefined;
  if (loaded === undefined) return undefined;
  const quickJs = await loaded.getQuickJS();
  return [peerLabel("quickjs-emscripten"), (code) => runOnce(quickJs.newContext(), code)];
}

async function runOnce(vm: Context, code: string): Promise<string> {
  const callHost = vm.newFunction("callHost", (argument) => {
    const deferred = vm.newPromise();
    using answer = disposing(vm.newString(answerJson(vm.getString(argument))));
    deferred.resolve(answer.handle);
    void deferred.settled.then(() => vm.runtime.executePendingJobs());
    return deferred.handle;
  });
  vm.setProp(vm.global, "callHost", callHost);
  callHost.dispose();
  vm.unwrapResult(vm.evalCode(PEER_PRELUDE)).dispose();
  const promise = vm.unwrapResult(vm.evalCode(`(async () => {${code}\n})().then(JSON.stringify)`));
  const settled = vm.resolvePromise(promise);
  vm.runtime.executePendingJobs();
  const result = vm.unwrapResult(await settled);
  const json = vm.getString(result);
  result.dispose();
  promise.dispose();
  vm.dispose();
  return json;
}

function disposing(handle: Handle): Disposable & { readonly handle: Handle } {
  return { handle, [Symbol.dispose]: () => handle.dispose() };
}
